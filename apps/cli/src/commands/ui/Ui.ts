import * as Effect from "effect/Effect"
import * as Command from "effect/cli/Command"
import { connectionFlag } from "../../connection/ConnectionFlags.ts"

/** Opens the terminal UI. */
export const ui = Command.make("ui", connectionFlag, (input) =>
  Effect.flatMap(
    Effect.promise(() => import("./OpenUi.ts")),
    ({ openUi }) => openUi(input.connection)
  )
).pipe(
  Command.withDescription(
    "Open the terminal UI. Without a connection it shows the demo; on a terminal, signalbox alone does the same."
  ),
  Command.withShortDescription("Open the terminal UI."),
  Command.withExamples([{ command: "signalbox ui --connection demo" }])
)
