import type { MarkManyMessagesAsError, MarkManyReport as MarkReport, MarkMessagesAsError } from "@signalbox/core/Errors"
import { idsOf, makeMarking, type MarkAsInput, type MessageMark } from "@signalbox/core/Messages"
import type { Message } from "@signalbox/core/Records"
import { CallAborted } from "./CallAborted.ts"
import type { CallResult } from "./CallResult.ts"
import type { ClientBase } from "./ClientBase.ts"
import type { ClientClosed } from "./ClientClosed.ts"
import type { BulkOptions, CallOptions } from "./ClientOptions.ts"
import { bulkOf } from "./internal/Bulk.ts"
import { callSite } from "./internal/CallSite.ts"
import type { Runner } from "./internal/Runner.ts"
import { write } from "./internal/Write.ts"

/** Marks messages of one subscriber; see {@link MessagesClient.messages}. */
export interface MarkMessagesAs {
  /**
   * Marks messages of one subscriber in one request and resolves to the affected messages (API document: Endpoints, Update
   * notifications state). Rejects with a `MarkMessagesAsError`.
   *
   * @example
   * ```ts
   * import { createClientFromEnv } from "@signalbox/sdk"
   *
   * const client = createClientFromEnv()
   * await client.messages.markAs("u_16170", { messageId: ["m1", "m2"], markAs: "read" })
   * ```
   */
  (subscriberId: string, input: MarkAsInput, options?: CallOptions): Promise<ReadonlyArray<Message>>
  /** Returns the outcome as a value; rejects only with a `ClientOptionError`. */
  readonly result: (
    subscriberId: string,
    input: MarkAsInput,
    options?: CallOptions
  ) => Promise<CallResult<ReadonlyArray<Message>, MarkMessagesAsError>>
}

/** The outcome of marking many messages. */
export interface MarkedMessages {
  /** The affected messages, in no particular order. */
  readonly messages: ReadonlyArray<Message>
  /** The identifiers for which no response had a message. */
  readonly notReturned: ReadonlyArray<string>
}

export type { MarkManyReport as MarkReport } from "@signalbox/core/Errors"

/** The outcome of marking many messages, as a value. */
export type MarkManyResult =
  | { readonly ok: true; readonly value: MarkedMessages; readonly report: MarkReport }
  | {
      readonly ok: false
      readonly error: MarkManyMessagesAsError | CallAborted | ClientClosed
      readonly report: MarkReport
    }

/** Marks any number of messages; see {@link MessagesClient.messages}. */
export interface MarkManyMessagesAs {
  /**
   * Marks any number of messages of one subscriber, with one call per 100 messages and four concurrent calls unless
   * `concurrency` is set. Rejects with a `MarkManyMessagesAsError`, which lists the outcome of every message.
   */
  (
    subscriberId: string,
    messageIds: string | Iterable<string>,
    markAs: MessageMark,
    options?: Omit<BulkOptions, "order">
  ): Promise<MarkedMessages>
  /** Returns the outcome of every message, even after an abort; rejects only with a `ClientOptionError`. */
  readonly result: (
    subscriberId: string,
    messageIds: string | Iterable<string>,
    markAs: MessageMark,
    options?: Omit<BulkOptions, "order">
  ) => Promise<MarkManyResult>
}

/** A client that marks messages, made by `createMessagesClient`. */
export interface MessagesClient extends ClientBase {
  /** Messages of subscribers. */
  readonly messages: {
    readonly markAs: MarkMessagesAs
    readonly markManyAs: MarkManyMessagesAs
  }
}

/** The member `messages` of a client. @internal */
export const messagesOf = (runner: Runner): MessagesClient["messages"] => {
  const made = runner.build(makeMarking)

  const markManyResult: MarkManyMessagesAs["result"] = async (subscriberId, messageIds, mark, bulkOptions) => {
    const { callOptions, concurrency } = bulkOf(bulkOptions)
    let report: MarkReport = { done: [], failed: [], notTried: idsOf(messageIds) }
    let ended = () => {}
    const end = new Promise<void>((resolve) => {
      ended = resolve
    })
    const marking = made().markManyAs(subscriberId, messageIds, mark, {
      concurrency,
      onEnd: (final) => {
        report = final
        ended()
      }
    })
    const isStarted = !callOptions.signal?.aborted
    const site = callSite(markManyResult)
    const outcome = await runner.outcomeOf({ operation: "messages.markAs", effect: marking, callOptions }, site)
    // The outcome of every message is known when the calls in progress have finished.
    if (isStarted && !outcome.ok && outcome.error instanceof CallAborted) await end
    return { ...outcome, report }
  }

  const markManyAs = async (
    ...[subscriberId, messageIds, mark, bulkOptions]: Parameters<MarkManyMessagesAs>
  ): ReturnType<MarkManyMessagesAs> => {
    const { callOptions, concurrency } = bulkOf(bulkOptions)
    const marking = made().markManyAs(subscriberId, messageIds, mark, { concurrency })
    return runner.call("messages.markAs", marking, callOptions, callSite(markManyAs))
  }

  return {
    markAs: write(runner, "messages.markAs", (subscriberId: string, input: MarkAsInput) =>
      made().markAs(subscriberId, input)
    ),
    markManyAs: Object.assign(markManyAs, { result: markManyResult })
  }
}
