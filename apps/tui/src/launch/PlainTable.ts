import type { ActivityNotification } from "@signalbox/core/Activity"
import { diagnose } from "@signalbox/operator/diagnosis/Diagnosis"
import { eventResult } from "@signalbox/operator/status/Status"
import { safe } from "@signalbox/operator/text/Safe"
import { pad, width } from "@signalbox/operator/text/Width"

const cells = (event: ActivityNotification): ReadonlyArray<string> => {
  const result = eventResult(event)
  const cause = result.kind === "failed" ? (diagnose(event, result.failedJob)?.cause ?? "") : ""
  return [
    event.createdAt ?? "-",
    result.word,
    event.template?.name ?? "(workflow deleted)",
    event.subscriber?.subscriberId ?? "(deleted)",
    (event.jobs ?? [])
      .map(({ type }) => type)
      .filter((type) => type !== "trigger")
      .join(",") || "-",
    event.transactionId,
    cause
  ].map((text) => safe(text))
}

/** Events as aligned text, one line an event, its time first: for pipes, files and logs. */
export const plainTable = (events: ReadonlyArray<ActivityNotification>): string => {
  const rows = events.map(cells)
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.min(40, Math.max(...rows.map((row) => width(row[column] ?? ""))))
  )
  return rows
    .map((row) =>
      row
        .map((text, column) => (column === row.length - 1 ? text : pad(text, widths[column] ?? 0)))
        .join("  ")
        .trimEnd()
    )
    .map((line) => `${line}\n`)
    .join("")
}
