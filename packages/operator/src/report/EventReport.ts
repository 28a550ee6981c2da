/**
 * One event as a few lines of Markdown for the on-call channel: what, who, when, why, what next. Without secrets and
 * without personal data except for the subscriber's id.
 */
import type { ActivityNotification } from "@signalbox/core/Records"
import { diagnosesOf } from "../diagnosis/FailureGroup.ts"
import { eventResult } from "../status/Status.ts"
import { code, prose } from "./Markdown.ts"

const when = (event: ActivityNotification): string => {
  const at = Date.parse(event.createdAt ?? "")
  return Number.isNaN(at)
    ? "at an unknown time"
    : `at ${new Date(at)
        .toISOString()
        .replace("T", " ")
        .replace(/\.\d+Z$/u, "Z")}`
}

/** The event as Markdown, ending with a line break; `connection` is the name of where it was read. */
export const eventReport = (event: ActivityNotification, connection: string): string => {
  const result = eventResult(event)
  const subscriber = event.subscriber?.subscriberId ?? event._subscriberId
  const lines = [
    `**${prose(event.template?.name ?? "(workflow deleted)")}: ${result.word}** for ${code(subscriber)} ${when(event)} in ${code(connection)}`
  ]
  for (const diagnosis of diagnosesOf(event)) {
    const { job, detail } = diagnosis
    const provider = diagnosis.providerId === undefined ? "" : ` by ${code(diagnosis.providerId)}`
    const detailText = detail === undefined ? "" : `: ${code(detail.detail)} (source ${code(detail.source)})`
    lines.push(
      `- Step: ${code(job.step.name ?? job.type)}${provider}${detailText}`,
      `- Cause: ${prose(diagnosis.cause)}`,
      `- Who can fix it: ${prose(diagnosis.ownerNote)}`,
      `- Next: ${prose(diagnosis.advice)}`
    )
  }
  lines.push(`- Transaction ${code(event.transactionId)}${event._id === undefined ? "" : `, event ${code(event._id)}`}`)
  return `${lines.join("\n")}\n`
}
