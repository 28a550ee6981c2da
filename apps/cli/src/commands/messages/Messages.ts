import { messageMarks } from "@signalbox/core/Operations"
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import { connectionFlag, yesFlag } from "../../connection/ConnectionFlags.ts"
import { idArgument, oneOfArgument, subscriberId } from "../../flags/Flags.ts"
import { outputFlags } from "../../output/OutputFlags.ts"
import { handledBy } from "../HandledBy.ts"

const markAsFlags = {
  mark: oneOfArgument("state", messageMarks).pipe(
    Argument.withDescription(`The state that the messages get: ${messageMarks.join(", ")}.`)
  ),
  ids: idArgument("Ids of messages, or - to read them from stdin, separated by white space.").pipe(
    Argument.variadic({ min: 1 })
  ),
  subscriber: subscriberId("The subscriber that the messages belong to."),
  ...yesFlag,
  ...connectionFlag,
  ...outputFlags
}

/** The input of `messages mark-as`. */
export type MarkAsInput = Command.Command.Config.Infer<typeof markAsFlags>

const markAs = Command.make(
  "mark-as",
  markAsFlags,
  handledBy(() => import("./MarkAs.ts"), "markAs")
).pipe(
  Command.withDescription("Mark messages of a subscriber as read, unread, seen or unseen. Safe to retry."),
  Command.withExamples([
    { command: "signalbox messages mark-as read --subscriber u_1 m1 m2 --yes" },
    { command: "signalbox messages mark-as seen --subscriber u_1 --yes - < ids.txt", description: "In a script" }
  ])
)

/** Changing messages. */
export const messages = Command.make("messages").pipe(
  Command.withDescription("Change the state of messages."),
  Command.withSubcommands([markAs])
)
