import * as Effect from "effect/Effect"
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"

/** Shows the help of a command. */
export const help = Command.make(
  "help",
  {
    topic: Argument.String("topic").pipe(
      Argument.variadic(),
      Argument.withDescription(
        "A command, for example events list, or the reason of an error, for example RateLimited; the list of commands without one."
      )
    )
  },
  ({ topic }) =>
    Effect.flatMap(
      Effect.promise(() => import("./PrintHelp.ts")),
      ({ printHelp }) => printHelp(topic)
    )
).pipe(
  Command.withDescription("Show the help of a command, the same as --help after it, or of the reason of an error."),
  Command.withExamples([
    { command: "signalbox help events list" },
    { command: "signalbox help RateLimited", description: "What an error means, and what to do" }
  ])
)
