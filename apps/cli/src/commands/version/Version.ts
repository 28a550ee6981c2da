import * as Effect from "effect/Effect"
import * as Command from "effect/cli/Command"

/** Prints the versions that a bug report needs. */
export const version = Command.make("version", {}, () =>
  Effect.flatMap(
    Effect.promise(() => import("./PrintVersion.ts")),
    ({ printVersion }) => printVersion
  )
).pipe(
  Command.withDescription("Print the versions of Signalbox, Node and the platform."),
  Command.withExamples([{ command: "signalbox version" }])
)
