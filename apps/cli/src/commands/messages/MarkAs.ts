import { messagesMarkAsWire } from "@signalbox/core/internal/reading/Shapes"
import type { Message } from "@signalbox/core/Records"
import { Messages } from "@signalbox/core/Messages"
import { MarkManyMessagesAsError } from "@signalbox/core/Errors"
import { counted } from "@signalbox/operator/text/Counted"
import * as Effect from "effect/Effect"
import { chooseConnection, confirmWrite, onConnection, requireWritable } from "../../connection/Connection.ts"
import { Unsuccessful, usage } from "../../failure/CommandError.ts"
import { exitCodes } from "../../failure/ExitCode.ts"
import type { Listing } from "../../output/Listing.ts"
import { recordNames } from "../../output/RecordNames.ts"
import { openOutput, type Output } from "../../output/Output.ts"
import { Process } from "../../process/Process.ts"
import type { MarkAsInput } from "./Messages.ts"

/** Ids in flight at the same time, which a signal lets finish: four calls of 100. */
const batchSize = 400

/** Ids named in a message; the others are counted. */
const namedIds = 5

/** How marked messages are printed. */
export const messageListing: Listing<Message> = {
  fields: {
    id: { value: ({ _id }) => _id ?? null, isShort: true },
    channel: {},
    read: {},
    seen: {},
    subject: {},
    transaction: { value: ({ transactionId }) => transactionId }
  },
  names: recordNames(messagesMarkAsWire),
  columns: ["id", "channel", "read", "seen", "subject", "transaction"]
}

const readIds = Effect.fnUntraced(function* (words: ReadonlyArray<string>) {
  if (!words.includes("-")) return [...new Set(words)]
  if (words.length > 1) {
    return yield* usage("<id>: give ids or - for stdin, not both")
  }
  const { stdin } = yield* Process
  const ids = (yield* stdin).split(/\s+/u).filter((id) => id !== "")
  return ids.length === 0
    ? yield* usage("<id>: stdin has no ids; expected ids separated by white space")
    : [...new Set(ids)]
})

const someOf = (ids: ReadonlyArray<string>): string =>
  ids.length > namedIds ? `${ids.slice(0, namedIds).join(", ")} and ${ids.length - namedIds} more` : ids.join(", ")

const progressOf = (marked: number, unsure: number, total: number): string => {
  if (marked + unsure === 0) return "No message was marked."
  if (marked === 0) return `${unsure} of ${total} messages may have been marked.`
  const more = unsure === 0 ? "" : `, and ${unsure} more may have been`
  return `${marked} of ${total} messages were marked${more}.`
}

/** The error of a batch with the counts of all messages. */
const withTotals = (
  error: MarkManyMessagesAsError,
  before: ReadonlyArray<string>,
  after: ReadonlyArray<string>
): MarkManyMessagesAsError => {
  const { errors, failed } = error
  const done = [...before, ...error.done]
  const notTried = [...error.notTried, ...after]
  const unsure = failed.filter((id) => error.errorOf(id)?.mayHaveBeenApplied === true).length
  const total = done.length + failed.length + notTried.length
  const message = `${progressOf(done.length, unsure, total)} ${errors[0].message}`
  return new MarkManyMessagesAsError({ message, done, failed, notTried, errors })
}

/** Marks all ids in batches; gives those that no response had a message for. */
const markAll = Effect.fnUntraced(function* (
  { mark, subscriber }: MarkAsInput,
  ids: ReadonlyArray<string>,
  output: Output<Message>
) {
  const messages = yield* Messages
  const notReturned: Array<string> = []
  let done = 0
  const progress = () => `${done} of ${ids.length} messages were marked`
  const batch = Effect.fnUntraced(function* (at: number) {
    const part = ids.slice(at, at + batchSize)
    const marked = yield* messages
      .markManyAs(subscriber, part, mark)
      .pipe(
        Effect.catch((error) =>
          Effect.andThen(
            output.rows(error.messages),
            Effect.fail(withTotals(error, ids.slice(0, at), ids.slice(at + batchSize)))
          )
        )
      )
    yield* output.rows(marked.messages)
    done += part.length
    notReturned.push(...marked.notReturned)
  })
  yield* Effect.gen(function* () {
    for (let at = 0; at < ids.length; at += batchSize) {
      yield* Effect.uninterruptible(batch(at))
      // The place where a signal takes effect: between two batches.
      yield* Effect.yieldNow
    }
  }).pipe(
    Effect.onInterrupt(() =>
      output.note(`Interrupted: ${progress()}${done === 0 ? "" : `, up to ${ids[done - 1] ?? ""}`}. Safe to run again.`)
    )
  )
  return notReturned
})

/** Marks messages of a subscriber. */
export const markAs = Effect.fnUntraced(function* (input: MarkAsInput) {
  const output = yield* openOutput(messageListing, input)
  const connection = yield* chooseConnection(input)
  yield* requireWritable(connection)
  const ids = yield* readIds(input.ids)
  const summary = `mark ${counted(ids.length, "message")} of ${input.subscriber} as ${input.mark}`
  yield* confirmWrite(connection, summary, input.yes)
  const notReturned = yield* markAll(input, ids, output).pipe(onConnection(connection))
  if (notReturned.length > 0) {
    return yield* new Unsuccessful({
      exitCode: notReturned.length === ids.length ? exitCodes.notFound : exitCodes.partial,
      message:
        ids.length === 1
          ? `message ${someOf(ids)} is not in the response; it may not exist`
          : `${notReturned.length} of ${ids.length} messages are not in the response; they may not exist: ${someOf(notReturned)}`
    })
  }
  yield* output.note(`Marked ${counted(ids.length, "message")} as ${input.mark}`)
})
