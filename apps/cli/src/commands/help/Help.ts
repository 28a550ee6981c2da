import { expectedOneOf, nearest } from "@signalbox/core/Nearest"
import { outlet } from "@signalbox/operator/outlet/Outlet"
import * as Effect from "effect/Effect"
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import type { HelpDoc } from "effect/cli/HelpDoc"
import { usage } from "../../failure/CommandError.ts"
import { exitCodeOfReason } from "../../failure/ExitCode.ts"
import { pathOf, unknownCommand } from "../../failure/UsageLine.ts"
import { HelpDocs } from "../../help/HelpDocs.ts"
import { helpStyleOf, helpText } from "../../help/HelpText.ts"
import { Process } from "../../process/Process.ts"

/** A topic that is neither a command nor a reason: the nearest of both. */
const unknownTopic = (topic: ReadonlyArray<string>, docs: ReadonlyArray<HelpDoc>): string => {
  const reasons = Object.keys(exitCodeOfReason)
  const reason = nearest(topic.join(""), reasons)
  if (reason !== undefined) return `unknown reason "${topic.join(" ")}"; ${expectedOneOf(reason, reasons)}`
  const parents = docs.filter(({ commandPath = [] }) => commandPath.slice(1).every((word, at) => topic[at] === word))
  const line = unknownCommand(topic[parents.length - 1] ?? "", parents.at(-1), docs)
  return line.includes("; did you mean ") ? line : `${line}; or the reason of an error: ${reasons.join(", ")}`
}

/** Prints the help of a command. Help that the build has written is printed without this, also that of reasons. */
const printHelp = Effect.fnUntraced(function* (topic: ReadonlyArray<string>) {
  const process = yield* Process
  const docs = yield* (yield* HelpDocs).all
  const doc = docs.find((each) => pathOf(each) === ["signalbox", ...topic].join(" "))
  if (doc === undefined) return yield* usage(unknownTopic(topic, docs))
  yield* process.write(outlet("own").text(helpText(doc, helpStyleOf(process))))
})

/** Shows the help of a command. */
export const help = Command.make(
  "help",
  {
    topic: Argument.String("topic").pipe(
      Argument.variadic(),
      Argument.withDescription(
        "A command, for example events list, or the reason of an error, for example RateLimited. Without one, the list of commands."
      )
    )
  },
  ({ topic }) => printHelp(topic)
).pipe(
  Command.withDescription("Show the help of a command, the same as --help after it, or of the reason of an error."),
  Command.withShortDescription("Show the help of a command or of an error."),
  Command.withExamples([
    { command: "signalbox help events list" },
    { command: "signalbox help RateLimited", description: "What an error means, and what to do" }
  ])
)
