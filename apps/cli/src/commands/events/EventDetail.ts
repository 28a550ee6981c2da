import type { ActivityJob, ActivityNotification } from "@signalbox/core/Records"
import type { Diagnosis } from "@signalbox/operator/diagnosis/Diagnosis"
import { diagnosesOf } from "@signalbox/operator/diagnosis/FailureGroup"
import { cleanLine } from "@signalbox/operator/outlet/Outlet"
import { shellWord } from "@signalbox/operator/report/Curl"
import { eventResult, jobResult } from "@signalbox/operator/status/Status"
import { safe } from "@signalbox/operator/text/Safe"
import { pad, truncate, wrap } from "@signalbox/operator/text/Width"
import { commandOn } from "../../connection/CommandOn.ts"
import type { Connection } from "../../connection/Connection.ts"
import { coloured, type TerminalStyle } from "../../output/Listing.ts"
import { fieldFlags } from "../credentials/FieldFlags.ts"
import { toneOf } from "./EventListing.ts"

const labelWidth = 12

/** A column of ten cells, apart from the next one. */
const column = (text: string): string => `${pad(text, 9)} `

/** Words wrapped below a label. */
const paragraph = (label: string, text: string, { columns }: TerminalStyle): ReadonlyArray<string> =>
  wrap(cleanLine(text), Math.max(20, columns - labelWidth)).map(
    (line, at) => pad(at === 0 ? label : "", labelWidth) + line
  )

const jobLine = (job: ActivityJob, style: TerminalStyle): string => {
  const result = jobResult(job)
  const detail = result.decidedBy?.detail ?? ""
  const left = `  ${column(safe(job.type))}${coloured(column(result.word), toneOf[result.kind], style)}`
  const right = [job.providerId ?? "", detail].filter((part) => part !== "").join(": ")
  return `${left}${truncate(cleanLine(right), Math.max(20, style.columns - 22))}`.trimEnd()
}

/**
 * The command that opens the way to a fix, where credentials of the subscriber are the cause. It names the connection of the
 * event: pasted into another shell, it must not write to another service.
 */
const fixOf = ({ prefill }: Diagnosis, connection: Connection): string | undefined => {
  if (prefill?.subscriberId === undefined || prefill.providerId === undefined) return undefined
  const fields = prefill.fields.map((field) => `--${fieldFlags[field].name} -`).join(" ")
  const integration =
    prefill.integrationIdentifier === undefined ? "" : ` --integration ${shellWord(prefill.integrationIdentifier)}`
  const words = `--subscriber ${shellWord(prefill.subscriberId)} --provider ${prefill.providerId}${integration} ${fields}`
  return commandOn(connection, "credentials upsert", words)
}

const fact = (label: string, value: string): string => pad(label, labelWidth) + cleanLine(value)

/** Why a step failed, and what to do. */
const explanation = (diagnosis: Diagnosis, connection: Connection, style: TerminalStyle): string => {
  const fix = fixOf(diagnosis, connection)
  return [
    ...paragraph("cause", diagnosis.cause, style),
    ...paragraph("owner", diagnosis.ownerNote, style),
    ...paragraph("advice", diagnosis.advice, style),
    ...(fix === undefined ? [] : [fact("fix", fix)])
  ].join("\n")
}

/** One event of a connection for a terminal: what, who, when, its steps, and each cause of its failure. */
export const eventDetail =
  (connection: Connection) =>
  (event: ActivityNotification, style: TerminalStyle): string => {
    const { kind, word } = eventResult(event)
    return `${[
      `${coloured(safe(event.template?.name ?? "(workflow deleted)"), "heading", style)}  ${coloured(word, toneOf[kind], style)}`,
      fact("time", event.createdAt ?? "unknown"),
      fact("subscriber", event.subscriber?.subscriberId ?? "(deleted)"),
      fact("transaction", event.transactionId),
      fact("event", event._id ?? "unknown"),
      "steps",
      ...(event.jobs ?? []).map((job) => jobLine(job, style)),
      ...diagnosesOf(event).map((diagnosis) => explanation(diagnosis, connection, style))
    ].join("\n")}\n`
  }
