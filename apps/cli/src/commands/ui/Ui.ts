import { themeNames } from "@signalbox/operator/connections/NamedConnection"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { connectionName } from "../../connection/ConnectionFlags.ts"
import { oneOf, sinceFlag, switchFlag, textFlag } from "../../flags/Flags.ts"

const replayFlag = textFlag(
  "replay",
  "FILE",
  "Show a recording of the terminal UI (:record FILE) again; opens no connection."
)

const flags = {
  ...connectionName,
  filter: Flag.String("filter").pipe(
    Flag.withMetavar("TEXT"),
    Flag.optional,
    Flag.withDescription('Start with a filter, for example "after:24h status:failed".')
  ),
  since: sinceFlag("Load all events since then, for example 24h."),
  theme: oneOf("theme", themeNames).pipe(
    Flag.optional,
    Flag.withDescription(
      "Draw with these colours on every connection (or SIGNALBOX_THEME; by default, those of the terminal)."
    )
  ),
  ascii: switchFlag("ascii", "Draw with ASCII characters only."),
  screenReader: switchFlag("screen-reader", "Write lines that a screen reader can read (or INK_SCREEN_READER=true)."),
  mask: switchFlag("mask", "Mask personal data and secrets from the first frame, for a shared screen."),
  replay: replayFlag,
  resetTerminal: switchFlag("reset-terminal", "Restore a terminal that a killed program left behind, and open nothing.")
}

/** Opens the terminal UI. */
export const ui = Command.make(
  "ui",
  flags,
  Effect.fnUntraced(function* ({ connection, filter, replay, resetTerminal, since, theme, ...drawing }) {
    const terminalUi = yield* Effect.promise(() => import("./OpenUi.ts"))
    if (resetTerminal) return yield* terminalUi.resetTerminal
    yield* terminalUi.openUi({
      ...drawing,
      connection: Option.getOrUndefined(connection),
      filter: Option.getOrUndefined(filter),
      replay: Option.getOrUndefined(replay),
      since: Option.getOrUndefined(since),
      theme: Option.getOrUndefined(theme)
    })
  })
).pipe(
  Command.withDescription(
    "Open the terminal UI. Without a connection it shows the demo; on a terminal, signalbox alone does the same."
  ),
  Command.withShortDescription("Open the terminal UI."),
  Command.withExamples([
    { command: "signalbox ui --connection demo" },
    { command: 'signalbox ui --filter "after:24h status:failed"' },
    { command: "signalbox ui --replay incident.ndjson" }
  ])
)
