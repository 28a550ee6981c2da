import { parseArgs } from "node:util"
import { canonicalTime, timeForms } from "@signalbox/operator/filter/FilterTime"
import { themeNames, type ThemeName } from "@signalbox/operator/connections/NamedConnection"

/** The options of the command line and the environment. */
export interface Arguments {
  readonly connection: string | undefined
  readonly demo: boolean
  /** Absent when neither the command line nor the environment names one. */
  readonly theme: ThemeName | undefined
  readonly ascii: boolean
  readonly screenReader: boolean
  /** Whether personal data and secrets are masked from the first frame. */
  readonly mask: boolean
  readonly filter: string
  /** The time since which all events are loaded at the start, as in filters; absent for the newest ones only. */
  readonly since: string | undefined
  /** The recording to replay; no connection is opened. */
  readonly replay: string | undefined
  /** How many events the demo has; they are all loaded at the start. */
  readonly demoEvents: number | undefined
}

/** The action: run, or print something and exit. */
export type Request =
  | { readonly _tag: "Run"; readonly arguments: Arguments }
  | { readonly _tag: "Print"; readonly text: string }
  | { readonly _tag: "ResetTerminal" }
  | { readonly _tag: "Refused"; readonly message: string }

const options = {
  connection: { type: "string" },
  demo: { type: "boolean" },
  theme: { type: "string" },
  filter: { type: "string" },
  since: { type: "string" },
  ascii: { type: "boolean" },
  "screen-reader": { type: "boolean" },
  mask: { type: "boolean" },
  "demo-events": { type: "string" },
  replay: { type: "string" },
  "reset-terminal": { type: "boolean" },
  help: { type: "boolean", short: "h" },
  version: { type: "boolean" }
} as const

const mostDemoEvents = 100_000

const help = `signalbox-tui: notification events, from failure to fix

  --connection NAME   a connection of $XDG_CONFIG_HOME/signalbox/config.toml
  --demo              the embedded demo (the default without SIGNALBOX_API_KEY and SIGNALBOX_BASE_URL)
  --demo-events N     a demo of N events, all loaded at the start (1 to ${mostDemoEvents})
  --replay FILE       show a recording of :record again; opens no connection
  --filter TEXT       begin with a filter, for example "after:24h status:failed"
  --since TIME        load all events since then, for example 24h
  --theme NAME        ${themeNames.join(", ")} (or SIGNALBOX_THEME; else as the terminal is)
  --ascii             draw with ASCII signs only
  --screen-reader     linear output for screen readers (or INK_SCREEN_READER=true)
  --mask              mask personal data and secrets, for a shared screen
  --reset-terminal    put a terminal right that a killed program left behind
  --version, --help

Without a terminal, use: signalbox events list
Environment: SIGNALBOX_API_KEY, SIGNALBOX_BASE_URL, SIGNALBOX_VENDOR, NO_COLOR, PAGER.
`

type Option = keyof typeof options

const isOption = (name: string): name is Option => Object.hasOwn(options, name)

const flagList = Object.keys(options)
  .map((name) => `--${name}`)
  .join(", ")

const themeFrom = (name: string): ThemeName | undefined => themeNames.find((known) => known === name)

/** Reads flags and environment; anything unknown is one line that names it and what is allowed. */
export const readArguments = (
  args: ReadonlyArray<string>,
  environment: Readonly<Record<string, string | undefined>>,
  version: string
): Request => {
  const refused = (message: string): Request => ({ _tag: "Refused", message: `signalbox-tui: ${message}` })
  const { tokens } = parseArgs({ args: [...args], options, strict: false, allowPositionals: true, tokens: true })
  const values = new Map<string, string | true>()
  for (const token of tokens) {
    if (token.kind === "positional") return refused(`unexpected argument "${token.value}"; the flags are ${flagList}`)
    if (token.kind === "option-terminator") continue
    const { name } = token
    if (!isOption(name)) return refused(`unknown flag "${token.rawName}"; the flags are ${flagList}`)
    const takesValue = options[name].type === "string"
    if (takesValue && (token.value === undefined || token.value.startsWith("--")))
      return refused(`${token.rawName} needs a value`)
    if (!takesValue && token.value !== undefined)
      return refused(`${token.rawName} takes no value, not "${token.value}"`)
    values.set(name, token.value ?? true)
  }
  const given = (name: string): string | undefined => {
    const value = values.get(name)
    return typeof value === "string" ? value : undefined
  }
  if (values.has("help")) return { _tag: "Print", text: help }
  if (values.has("version")) return { _tag: "Print", text: `${version}\n` }
  if (values.has("reset-terminal")) return { _tag: "ResetTerminal" }
  const fromFlag = given("theme")
  const wanted = fromFlag ?? environment["SIGNALBOX_THEME"] ?? ""
  const theme = themeFrom(wanted)
  if (theme === undefined && (wanted !== "" || fromFlag !== undefined)) {
    const place = fromFlag === undefined ? "SIGNALBOX_THEME" : "--theme"
    return refused(`${place} is "${wanted}"; it must be one of ${themeNames.join(", ")}`)
  }
  const since = given("since")
  const sinceTime = since === undefined ? undefined : canonicalTime(since)
  if (since !== undefined && sinceTime === undefined) {
    return refused(`--since is "${since}"; it must be a time such as ${timeForms}`)
  }
  const connection = given("connection")
  if (connection !== undefined && values.has("demo")) return refused("--demo and --connection exclude each other")
  const typedEvents = given("demo-events")
  const demoEvents = typedEvents === undefined ? undefined : Number(typedEvents)
  if (demoEvents !== undefined && !(Number.isInteger(demoEvents) && demoEvents >= 1 && demoEvents <= mostDemoEvents)) {
    return refused(`--demo-events is "${typedEvents}"; it must be a whole number from 1 to ${mostDemoEvents}`)
  }
  if (demoEvents !== undefined && connection !== undefined)
    return refused("--demo-events and --connection exclude each other")
  const replay = given("replay")
  if (replay !== undefined && (connection !== undefined || values.has("demo") || demoEvents !== undefined))
    return refused("--replay excludes --connection, --demo and --demo-events")
  return {
    _tag: "Run",
    arguments: {
      connection,
      demo: values.has("demo") || demoEvents !== undefined,
      demoEvents,
      replay,
      theme,
      ascii: values.has("ascii"),
      screenReader: values.has("screen-reader") || environment["INK_SCREEN_READER"] === "true",
      mask: values.has("mask"),
      filter: given("filter") ?? "",
      since: sinceTime
    }
  }
}
