import type { ActivityNotification } from "@signalbox/core/Activity"

const idKey = /"_?messageId"\s*:\s*"([^"]+)"/gu

/**
 * Message ids that the raw texts of an event's execution details mention. The API promises no such thing; a service that
 * writes them there saves the operator from asking for them elsewhere.
 */
export const messageIdsIn = (event: ActivityNotification): ReadonlyArray<string> => {
  const ids = new Set<string>()
  for (const job of event.jobs ?? []) {
    if (job.type !== "in_app") continue
    for (const { raw } of job.executionDetails) {
      for (const [, id] of (raw ?? "").matchAll(idKey)) if (id !== undefined) ids.add(id)
    }
  }
  return Array.from(ids)
}
