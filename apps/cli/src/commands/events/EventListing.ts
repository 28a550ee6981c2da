import type { ActivityNotification } from "@signalbox/core/Activity"
import { diagnose } from "@signalbox/operator/diagnosis/Diagnosis"
import { eventResult, type ResultKind } from "@signalbox/operator/status/Status"
import { moment } from "@signalbox/operator/text/Moment"
import type { Listing, Tone } from "../../output/Listing.ts"

/** Colours of results. */
export const toneOf: Readonly<Record<ResultKind, Tone | undefined>> = {
  failed: "bad",
  warning: "warning",
  waiting: undefined,
  queued: undefined,
  unknown: undefined,
  ok: "good",
  skipped: "quiet"
}

const channelsOf = ({ jobs = [] }: ActivityNotification): ReadonlyArray<string> =>
  jobs.map(({ type }) => type).filter((type) => type !== "trigger")

/** The cause of a failure or a warning. */
const causeOf = (event: ActivityNotification): string | null => {
  const { kind } = eventResult(event)
  return kind === "failed" || kind === "warning" ? (diagnose(event)?.cause ?? null) : null
}

/** How events are printed at the time `now`. */
export const eventListing = (now: number): Listing<ActivityNotification> => ({
  fields: {
    time: {
      value: ({ createdAt }) => createdAt ?? null,
      cell: ({ createdAt }) => moment(createdAt, now),
      isShort: true
    },
    result: {
      value: (event) => eventResult(event).kind,
      cell: (event) => eventResult(event).word,
      tone: (event) => toneOf[eventResult(event).kind],
      isShort: true
    },
    workflow: {
      value: ({ template }) => template?.name ?? null,
      cell: ({ template }) => template?.name ?? "(deleted)"
    },
    subscriber: {
      value: ({ subscriber }) => subscriber?.subscriberId ?? null,
      cell: ({ subscriber }) => subscriber?.subscriberId ?? "(deleted)"
    },
    channels: { value: channelsOf },
    transaction: { value: ({ transactionId }) => transactionId, isShort: true },
    id: { value: ({ _id }) => _id ?? null, isShort: true },
    severity: { value: ({ severity }) => severity ?? null },
    cause: { value: causeOf }
  },
  columns: ["time", "result", "workflow", "subscriber", "channels", "transaction", "cause"],
  record: (event) => event
})
