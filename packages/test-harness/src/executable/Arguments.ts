import { parseArgs } from "node:util"
import { isVendor, vendorRule } from "../EnvironmentOptions.ts"
import * as Vendor from "@signalbox/core/Vendor"
import * as Switches from "../switches/Switches.ts"

/** The options of the command line. */
export interface Arguments {
  readonly port: number
  readonly seed: number
  readonly preset: Switches.Preset
  readonly vendor: string
  readonly data: "demo" | "empty"
}

/** What to do: serve, or print something and exit. */
export type Request =
  | { readonly _tag: "Serve"; readonly arguments: Arguments }
  | { readonly _tag: "Print"; readonly text: string }
  | { readonly _tag: "Refused"; readonly message: string }

const options = {
  port: { type: "string", default: "0" },
  seed: { type: "string", default: "1" },
  preset: { type: "string", default: "document" },
  vendor: { type: "string", default: Vendor.neutral },
  demo: { type: "boolean", default: false },
  empty: { type: "boolean", default: false },
  help: { type: "boolean", short: "h", default: false }
} as const

const help = `signalbox-fake: an in-memory notification service on loopback

  --port N       port to listen on; 0, the default, is any free one
  --preset NAME  how open questions are answered: ${Switches.presetNames}
  --vendor WORD  the maker's word in wire identifiers (default service)
  --seed N       same seed, same data (default 1)
  --demo         start with demo data (the default)
  --empty        start without data
  --help

Prints one line of JSON with "url" and "apiKey" when it is ready. Stops on SIGINT and SIGTERM.
GET /_fake on that url lists what tests can ask for: environments, triggers, faults, the clock, the journal.
`

const flagList = Object.keys(options)
  .map((name) => `--${name}`)
  .join(", ")

const refused = (message: string): Request => ({ _tag: "Refused", message: `signalbox-fake: ${message}` })

const wholeNumber = (text: string, most: number): number | undefined =>
  /^\d{1,15}$/u.test(text) && Number(text) <= most ? Number(text) : undefined

const mostSeed = 2 ** 32 - 1

const parse = (words: ReadonlyArray<string>) => {
  try {
    return parseArgs({ args: [...words], options, strict: true }).values
  } catch {
    return undefined
  }
}

/** Reads the command line. */
export const readArguments = (words: ReadonlyArray<string>): Request => {
  const values = parse(words)
  if (values === undefined) return refused(`cannot read "${words.join(" ")}"; expected ${flagList}`)
  if (values.help) return { _tag: "Print", text: help }
  const port = wholeNumber(values.port, 65_535)
  if (port === undefined) return refused(`--port must be an integer from 0 to 65535, not "${values.port}"`)
  const seed = wholeNumber(values.seed, mostSeed)
  if (seed === undefined) return refused(`--seed must be an integer from 0 to ${mostSeed}, not "${values.seed}"`)
  if (!Switches.isPreset(values.preset)) {
    return refused(`--preset must be one of ${Switches.presetNames}, not "${values.preset}"`)
  }
  if (!isVendor(values.vendor)) return refused(`--vendor must be ${vendorRule}, not "${values.vendor}"`)
  if (values.demo && values.empty) return refused("--demo and --empty cannot be used together")
  return {
    _tag: "Serve",
    arguments: { port, seed, preset: values.preset, vendor: values.vendor, data: values.empty ? "empty" : "demo" }
  }
}
