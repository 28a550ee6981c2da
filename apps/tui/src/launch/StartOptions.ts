import { parseArgs } from "node:util"
import type { LaunchOptions } from "./LaunchOptions.ts"

/** The task of `npm start`: open the terminal UI, print something, or refuse its arguments in one line. */
export type Start =
  | { readonly _tag: "Run"; readonly options: LaunchOptions }
  | { readonly _tag: "Print"; readonly text: string }
  | { readonly _tag: "Refused"; readonly message: string }

const options = {
  connection: { type: "string", short: "c" },
  demo: { type: "boolean" },
  "demo-events": { type: "string" },
  help: { type: "boolean", short: "h" },
  version: { type: "boolean" }
} as const

const mostDemoEvents = 100_000

const help = `Opens the terminal UI of Signalbox.

  -c, --connection NAME  a connection of $XDG_CONFIG_HOME/signalbox/config.toml
  --demo                 the embedded demo (the default without a connection)
  --demo-events N        a demo of N events, all loaded at the start (1 to ${mostDemoEvents})
  --version, --help

signalbox ui --help lists the options for filters, themes, recordings and screen readers.
`

/** Reads the arguments of the start file. Everything else is an option of `signalbox ui`. */
export const readStartOptions = (args: ReadonlyArray<string>, version: string): Start => {
  const refused = (message: string): Start => ({ _tag: "Refused", message })
  const { positionals, tokens, values } = parseArgs({
    args: [...args],
    options,
    strict: false,
    allowPositionals: true,
    tokens: true
  })
  const unknown = tokens.find((token) => token.kind === "option" && !Object.hasOwn(options, token.name))
  if (unknown?.kind === "option") {
    return refused(`unknown flag "${unknown.rawName}"; signalbox ui has all flags, npm start only those of --help`)
  }
  if (positionals.length > 0) return refused(`unexpected argument "${positionals[0]}"`)
  if (values.help === true) return { _tag: "Print", text: help }
  if (values.version === true) return { _tag: "Print", text: `${version}\n` }
  const { connection, "demo-events": count } = values
  if (connection === true || connection === "") return refused("--connection needs a value")
  if (count === true) return refused("--demo-events needs a value")
  const isDemo = values.demo === true || count !== undefined
  if (values.demo !== undefined && values.demo !== true) return refused("--demo takes no value")
  if (typeof connection === "string" && isDemo) return refused("--connection excludes --demo and --demo-events")
  const demoEvents = typeof count === "string" ? Number(count) : undefined
  if (demoEvents !== undefined && !(Number.isInteger(demoEvents) && demoEvents >= 1 && demoEvents <= mostDemoEvents)) {
    return refused(`--demo-events is "${String(count)}"; it must be a whole number from 1 to ${mostDemoEvents}`)
  }
  return {
    _tag: "Run",
    options: { connection: isDemo ? "demo" : typeof connection === "string" ? connection : undefined, demoEvents }
  }
}
