import type { ActivityNotification } from "@signalbox/core/Records"
import { diagnose, type Diagnosis } from "@signalbox/operator/diagnosis/Diagnosis"
import { eventResult, type ResultKind } from "@signalbox/operator/status/Status"
import type { Zone } from "@signalbox/operator/text/Zone"
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

/** The diagnosis of a failure or a warning. */
const diagnosisOf = (event: ActivityNotification): Diagnosis | undefined => {
  const { kind } = eventResult(event)
  return kind === "failed" || kind === "warning" ? diagnose(event) : undefined
}

/** How events are printed, with their times in a zone. */
export const eventListing = (zone: Zone, now: number): Listing<ActivityNotification> => ({
  fields: {
    time: {
      title: `time ${zone.heading}`,
      value: ({ createdAt }) => createdAt ?? null,
      cell: ({ createdAt }) => zone.moment(createdAt, now),
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
      cell: ({ template }) => template?.name ?? "(deleted)",
      isName: true
    },
    subscriber: {
      value: ({ subscriber }) => subscriber?.subscriberId ?? null,
      cell: ({ subscriber }) => subscriber?.subscriberId ?? "(deleted)",
      isName: true
    },
    channels: { value: channelsOf },
    transaction: { value: ({ transactionId }) => transactionId, isShort: true },
    id: { value: ({ _id }) => _id ?? null, isShort: true },
    severity: { value: ({ severity }) => severity ?? null },
    rule: { value: (event) => diagnosisOf(event)?.rule ?? null, isShort: true },
    cause: {
      value: (event) => diagnosisOf(event)?.cause ?? null,
      cell: (event) => {
        const diagnosis = diagnosisOf(event)
        return diagnosis?.title ?? diagnosis?.rule ?? ""
      }
    }
  },
  columns: ["time", "result", "cause", "workflow", "subscriber", "transaction", "channels"],
  record: (event) => event
})
