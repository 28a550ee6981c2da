import { idsOf, makeMarking, type MarkAsInput } from "@signalbox/core/Messages"
import { CallAborted } from "../CallAborted.ts"
import type { Client, MarkManyMessagesAs, MarkReport } from "../Client.ts"
import { bulkOf } from "./Bulk.ts"
import { callSite } from "./CallSite.ts"
import type { Runner } from "./Runner.ts"
import { write } from "./Write.ts"

/** The member `messages` of a client. */
export const messagesOf = (runner: Runner): Client["messages"] => {
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
