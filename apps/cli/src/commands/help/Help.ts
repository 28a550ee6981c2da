import { expectedOneOf } from "@signalbox/operator/text/Nearest"
import { outlet } from "@signalbox/operator/outlet/Outlet"
import * as Effect from "effect/Effect"
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import { UsageError } from "../../failure/CommandError.ts"
import { commandNames } from "../../failure/UsageLine.ts"
import { HelpDocs } from "../../help/HelpDocs.ts"
import { helpStyleOf, helpText } from "../../help/HelpText.ts"
import { Process } from "../../process/Process.ts"

/** Prints the help of a command. */
const printHelp = Effect.fnUntraced(function* (topic: ReadonlyArray<string>) {
  const process = yield* Process
  const { find } = yield* HelpDocs
  let doc = yield* find([])
  for (const [at, word] of topic.entries()) {
    const names = doc === undefined ? [] : commandNames(doc)
    if (!names.includes(word)) {
      const path = ["signalbox", ...topic.slice(0, at)].join(" ")
      return yield* new UsageError({
        message: `unknown command "${word}" for "${path}"; ${expectedOneOf(word, names)}`
      })
    }
    doc = yield* find(topic.slice(0, at + 1))
  }
  if (doc !== undefined) yield* process.write(outlet("own").text(helpText(doc, helpStyleOf(process))))
})

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
  ({ topic }) => printHelp(topic)
).pipe(
  Command.withDescription("Show the help of a command, the same as --help after it, or of the reason of an error."),
  Command.withExamples([
    { command: "signalbox help events list" },
    { command: "signalbox help RateLimited", description: "What an error means, and what to do" }
  ])
)
