import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Result from "effect/Result"
import * as Scope from "effect/Scope"
import type { messageMarks } from "../contract/Operations.ts"
import { MarkManyMessagesAsError, type MarkManyReport, type MarkMessagesAsError } from "../errors/Errors.ts"
import type { Message } from "../models/Records.ts"
import { checked, count } from "../policies/Rules.ts"
import { withPartKey } from "./PartKey.ts"

/** A state that messages can be marked as (API document: Endpoints, Update notifications state). */
export type MessageMark = (typeof messageMarks)[number]

/** How many messages are marked. */
export interface MarkManyOptions {
  /** Calls at the same time, a whole number from 1; 4 when absent. */
  readonly concurrency?: number | undefined
  /** Receives the outcome of every message at the end, also when the work is interrupted. Must not throw. */
  readonly onEnd?: ((report: MarkManyReport) => void) | undefined
}

/** The type of `Messages.markManyAs`. */
export type MarkMany = (
  subscriberId: string,
  messageIds: string | Iterable<string>,
  markAs: MessageMark,
  options?: MarkManyOptions
) => Effect.Effect<
  {
    /** The affected messages, in no particular order. */
    readonly messages: ReadonlyArray<Message>
    /** The identifiers of messages that no response contained. */
    readonly notReturned: ReadonlyArray<string>
  },
  MarkManyMessagesAsError
>

type MarkAs = (
  subscriberId: string,
  input: { readonly messageId: ReadonlyArray<string>; readonly markAs: MessageMark }
) => Effect.Effect<ReadonlyArray<Message>, MarkMessagesAsError>

// The body limit of known services allows many times as many, and one failed call affects few messages.
const chunkSize = 100

const chunksOf = (ids: ReadonlyArray<string>): ReadonlyArray<ReadonlyArray<string>> =>
  Array.from({ length: Math.ceil(ids.length / chunkSize) }, (_, index) =>
    ids.slice(index * chunkSize, (index + 1) * chunkSize)
  )

const isString = (id: unknown): boolean => typeof id === "string"

/** The identifiers without duplicates; callers without types can pass an invalid value. @internal */
export const idsOf = (messageIds: string | Iterable<string>): ReadonlyArray<string> => {
  const isMany = typeof messageIds !== "string" && Symbol.iterator in Object(messageIds)
  const ids: Iterable<unknown> = isMany ? messageIds : [messageIds]
  // The check of the request reports other values.
  return [...new Set(ids)] as ReadonlyArray<string>
}

const isAccepted = ({ reason }: MarkMessagesAsError): boolean =>
  reason._tag === "MalformedResponse" && reason.accepted === true

/** How many messages were marked, and how many more may have been. */
const progressOf = (
  { done, failed }: MarkManyReport,
  errorOf: ReadonlyMap<string, MarkMessagesAsError>,
  total: number
): string => {
  const errors = failed.flatMap((id) => errorOf.get(id) ?? [])
  const marked = done.length + errors.filter(isAccepted).length
  const unsure = errors.filter((error) => error.mayHaveBeenApplied && !isAccepted(error)).length
  if (unsure === 0) return `${marked} of ${total} messages were marked.`
  if (marked === 0) return `${unsure} of ${total} messages may have been marked.`
  return `${marked} of ${total} messages were marked, and ${unsure} more may have been.`
}

/** Marks any number of messages by calls of the one operation. */
export const markMany =
  (markOnce: MarkAs): MarkMany =>
  (subscriberId, messageIds, markAs, options = {}) =>
    Effect.suspend(() => {
      const ids = idsOf(messageIds)
      // One call with all of them: it fails and reports what is wrong, and nothing is sent.
      const chunks = ids.every(isString) ? chunksOf(ids) : [ids]
      const states: Array<"not tried" | "started" | "done"> = chunks.map(() => "not tried")
      const responses: Array<ReadonlyArray<Message>> = chunks.map(() => [])
      const errors: Array<MarkMessagesAsError> = []
      const errorOf = new Map<string, MarkMessagesAsError>()
      const idsIn = (state: (typeof states)[number]) =>
        chunks.flatMap((chunk, at) => (states[at] === state ? chunk.filter(isString) : []))
      const report = (): MarkManyReport => ({
        done: idsIn("done"),
        failed: idsIn("started"),
        notTried: idsIn("not tried")
      })
      const left = chunks.entries()
      // `Effect.forEach` with a concurrency would add 700 bytes to every bundle.
      const work = Effect.fnUntraced(function* () {
        for (const [at, chunk] of left) {
          if (errors.length > 0) return
          states[at] = "started"
          const result = yield* Effect.result(withPartKey(markOnce(subscriberId, { messageId: chunk, markAs }), at))
          if (Result.isFailure(result)) {
            errors.push(result.failure)
            for (const id of chunk) errorOf.set(id, result.failure)
          } else {
            states[at] = "done"
            responses[at] = result.success
          }
        }
      })
      const workers = Math.min(checked(options.concurrency ?? 4, count(1), "concurrency"), chunks.length)
      const scope = Scope.makeUnsafe()
      const all = Effect.fnUntraced(function* () {
        const fibers: Array<Fiber.Fiber<void>> = []
        while (fibers.length < workers) fibers.push(yield* Effect.forkIn(work(), scope, { startImmediately: true }))
        for (const fiber of fibers) yield* Fiber.join(fiber)
      })
      const ended = Effect.onExit(all(), (exit) =>
        Effect.map(Scope.close(scope, exit), () => options.onEnd?.(report()))
      )
      return Effect.flatMap(ended, () => {
        const messages = responses.flat()
        const [first, ...others] = errors
        if (first !== undefined) {
          const facts = report()
          const message = `${progressOf(facts, errorOf, ids.length)} ${first.message}`
          return Effect.fail(
            new MarkManyMessagesAsError({ message, ...facts, errors: [first, ...others] }, { messages, errorOf })
          )
        }
        const returned = new Set(messages.map(({ _id }) => _id))
        return Effect.succeed({ messages, notReturned: ids.filter((id) => !returned.has(id)) })
      })
    })
