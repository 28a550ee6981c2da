import * as Effect from "effect/Effect"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { connectionName } from "../../connection/ConnectionFlags.ts"

const replayFlag = Flag.String("replay").pipe(
  Flag.withMetavar("FILE"),
  Flag.optional,
  Flag.withDescription("Show a recording of the terminal UI (:record FILE) again; opens no connection.")
)

/** Opens the terminal UI. */
export const ui = Command.make("ui", { ...connectionName, replay: replayFlag }, (input) =>
  Effect.flatMap(
    Effect.promise(() => import("./OpenUi.ts")),
    ({ openUi }) => openUi(input)
  )
).pipe(
  Command.withDescription(
    "Open the terminal UI. Without a connection it shows the demo; on a terminal, signalbox alone does the same."
  ),
  Command.withShortDescription("Open the terminal UI."),
  Command.withExamples([
    { command: "signalbox ui --connection demo" },
    { command: "signalbox ui --replay incident.ndjson" }
  ])
)
