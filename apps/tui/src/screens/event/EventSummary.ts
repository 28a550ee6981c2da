import { keyFor } from "../../actions/Action.ts"
import { isSecretName } from "@signalbox/core/Redaction"
import type { ActivityJob, ActivityNotification } from "@signalbox/core/Records"
import type { Diagnosis } from "@signalbox/operator/diagnosis/Diagnosis"
import { jobResult } from "@signalbox/operator/status/Status"
import { fact } from "../../view/Fact.ts"
import { changedSince } from "@signalbox/operator/diagnosis/FixReach"
import { changesIn } from "./CredentialChange.ts"
import { whyReadOnly } from "../../state/Connection.ts"
import type { State } from "../../state/State.ts"
import { signOf, stepName, toneOf } from "../../view/Result.ts"
import { counted } from "@signalbox/operator/text/Counted"
import { column, row, type Row, span, type Tone } from "../../view/Row.ts"
import { stampOf } from "../../view/Times.ts"

/** The next step, with its key; a step that was done since the failure is not suggested again. */
const nextStep = (diagnosis: Diagnosis, event: ActivityNotification, state: State): string => {
  const { advice, credentials } = diagnosis
  const { connection } = state
  const changed = changedSince(diagnosis, event, changesIn(state.facts))
  if (changed !== undefined) {
    const [providerId, at] = changed
    const again =
      connection.kind === "demo"
        ? `${keyFor(state, "trigger again")} triggers it again.`
        : "Trigger the event again from your system."
    return `The ${providerId} credentials were changed here at ${stampOf(state, at)}, after this event. ${again}`
  }
  return credentials === "cause" && whyReadOnly(connection) === undefined
    ? `${advice} ${keyFor(state, "fix credentials")} opens the form.`
    : advice
}

/** Why it failed, what to do, and who does it; nothing for an event that needs no explanation. */
export const why = (
  diagnosis: Diagnosis | undefined,
  event: ActivityNotification,
  state: State,
  columns: number,
  labelColumns = 6
): ReadonlyArray<Row> => {
  if (diagnosis === undefined) return []
  const part = (label: string, text: string, tone: Tone): ReadonlyArray<Row> =>
    fact(label, text, columns, { labelColumns, labelTone: "title", tone })
  return [
    ...part("WHY", diagnosis.cause, "plain"),
    ...part("NEXT", nextStep(diagnosis, event, state), "notice"),
    ...part("WHO", diagnosis.ownerNote, "dim")
  ]
}

/** Id and name of the subscriber. */
export const person = (event: ActivityNotification): string => {
  const { subscriber } = event
  if (subscriber === undefined) return "(subscriber deleted)"
  const name = [subscriber.firstName, subscriber.lastName].filter((part) => part !== undefined).join(" ")
  return name === "" ? subscriber.subscriberId : `${subscriber.subscriberId}  ${name}`
}

/** The payload, one line a key, in at most `maxRows` rows. */
export const payloadRows = (
  event: ActivityNotification,
  state: State,
  columns: number,
  maxRows: number
): ReadonlyArray<Row> => {
  const entries = Object.entries(event.payload ?? {})
  if (entries.length === 0 || maxRows < 2) return []
  const labels = Math.min(20, Math.max(8, ...entries.map(([name]) => name.length + 1)))
  return [
    row(
      [
        span("PAYLOAD", "title"),
        span(`  ${counted(entries.length, "key")}, ${keyFor(state, "payload")} shows all`, "dim")
      ],
      columns
    ),
    ...entries.slice(0, maxRows - 1).map(([name, value]) =>
      // A value can be a megabyte; one line of the pane is all that is looked at.
      row(
        [
          column(name, labels, "dim"),
          span(isSecretName(name) ? "<redacted>" : (JSON.stringify(value) ?? "").slice(0, 200))
        ],
        columns
      )
    )
  ]
}

const jobRow = (job: ActivityJob, state: State, columns: number): Row => {
  const result = jobResult(job)
  return row(
    [
      span(`${signOf(result.kind, state.settings.glyphs)} `, toneOf(result.kind)),
      column(stepName(job), 18),
      column(job.providerId ?? "", 12, "dim"),
      span(job.status, toneOf(result.kind))
    ],
    columns
  )
}

/** The steps, one line each. */
export const stepRows = (event: ActivityNotification, state: State, columns: number): ReadonlyArray<Row> => {
  const jobs = (event.jobs ?? []).filter(({ type }) => type !== "trigger")
  return jobs.length === 0
    ? []
    : [row([span("STEPS", "title")], columns), ...jobs.map((job) => jobRow(job, state, columns))]
}
