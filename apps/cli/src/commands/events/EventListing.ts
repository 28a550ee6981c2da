import { eventsListWire } from "@signalbox/core/internal/reading/Shapes"
import type { ActivityNotification } from "@signalbox/core/Records"
import { diagnose } from "@signalbox/operator/diagnosis/Diagnosis"
import { failuresOf, isCause } from "@signalbox/operator/diagnosis/FailureGroup"
import type { Filter } from "@signalbox/operator/filter/Filter"
import { eventResult, type ResultKind } from "@signalbox/operator/status/Status"
import type { Zone } from "@signalbox/operator/text/Zone"
import type { Listing, Tone } from "../../output/Listing.ts"
import { recordNames } from "../../output/RecordNames.ts"

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

/** The diagnosis of a failure or a warning, one that the filter requires if it does; and how many other failures there are. */
const diagnosisOf = (event: ActivityNotification, { clauses }: Filter) => {
  const { kind } = eventResult(event)
  if (kind !== "failed" && kind !== "warning") return undefined
  const failures = failuresOf(event)
  const wanted = clauses.find(({ key, negated }) => key === "cause" && !negated)?.values ?? []
  const found = failures.find(({ cause }) => wanted.some((each) => isCause(cause, each)))
  const diagnosis = found?.diagnosis ?? diagnose(event)
  return diagnosis === undefined ? undefined : { ...diagnosis, others: Math.max(0, failures.length - 1) }
}

/** How events that match a filter are printed, with their times in a zone. */
export const eventListing = (zone: Zone, now: number, filter: Filter): Listing<ActivityNotification> => ({
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
      cell: ({ subscriber }) => subscriber?.subscriberId ?? "(deleted)"
    },
    channels: { value: channelsOf },
    transaction: { value: ({ transactionId }) => transactionId, isShort: true },
    id: { value: ({ _id }) => _id ?? null, isShort: true },
    severity: { value: ({ severity }) => severity ?? null },
    rule: { value: (event) => diagnosisOf(event, filter)?.rule ?? null, isShort: true },
    cause: {
      value: (event) => diagnosisOf(event, filter)?.cause ?? null,
      cell: (event) => {
        const diagnosis = diagnosisOf(event, filter)
        if (diagnosis === undefined) return ""
        return `${diagnosis.title ?? diagnosis.rule}${diagnosis.others === 0 ? "" : ` +${diagnosis.others}`}`
      }
    }
  },
  names: recordNames(eventsListWire),
  columns: ["time", "result", "cause", "workflow", "subscriber", "transaction", "channels"]
})
