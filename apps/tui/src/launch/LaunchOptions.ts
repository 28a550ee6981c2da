import { parseArgs } from "node:util"
import { themeNames, type ThemeName } from "@signalbox/operator/connections/NamedConnection"

/** The connection or recording that the terminal UI opens, and the way it draws. */
export interface LaunchOptions {
  /** The connection; the default one, else the demo, when absent. */
  readonly connection?: string | undefined
  /** How many events the demo has; they are all loaded at the start. */
  readonly demoEvents?: number | undefined
  /** The recording to replay; no connection is opened. */
  readonly replay?: string | undefined
  /** The filter of the first list. */
  readonly filter?: string | undefined
  /** The time since which all events are loaded at the start, as in filters; absent for the newest ones only. */
  readonly since?: string | undefined
  /** The theme of every connection. */
  readonly theme?: ThemeName | undefined
  /** Whether to draw with ASCII signs only. */
  readonly ascii?: boolean | undefined
  /** Whether to write lines that a screen reader can read. */
  readonly screenReader?: boolean | undefined
  /** Whether personal data and secrets are masked from the first frame. */
  readonly mask?: boolean | undefined
}

/** The flags of `signalbox ui` that open it, in the form of Node; the command line has them again, for its help. */
export const uiFlags = {
  connection: { type: "string", short: "c" },
  replay: { type: "string" },
  filter: { type: "string" },
  since: { type: "string" },
  theme: { type: "string" },
  ascii: { type: "boolean" },
  "screen-reader": { type: "boolean" },
  mask: { type: "boolean" }
} as const

/** Reads flags of `signalbox ui`; `undefined` for words in any other form, which the command line explains. */
export const readUiOptions = (args: ReadonlyArray<string>): LaunchOptions | undefined => {
  try {
    const { tokens, values } = parseArgs({ args: [...args], options: uiFlags, tokens: true })
    const { "screen-reader": screenReader, theme: named, ...others } = values
    const theme = themeNames.find((name) => name === named)
    const isKnown = theme === named && tokens.length === Object.keys(values).length
    return isKnown && !Object.values(values).includes("") ? { ...others, screenReader, theme } : undefined
  } catch {
    return undefined
  }
}

/** The options, completed by those of the environment; or why one of these is wrong, in one line. */
export const withEnvironment = (
  options: LaunchOptions,
  { INK_SCREEN_READER, SIGNALBOX_THEME = "" }: Readonly<Record<string, string | undefined>>
): LaunchOptions | string => {
  const screenReader = options.screenReader === true || INK_SCREEN_READER === "true"
  if (options.theme !== undefined || SIGNALBOX_THEME === "") return { ...options, screenReader }
  const theme = themeNames.find((name) => name === SIGNALBOX_THEME)
  return theme === undefined
    ? `SIGNALBOX_THEME is "${SIGNALBOX_THEME}"; it must be one of ${themeNames.join(", ")}`
    : { ...options, screenReader, theme }
}
