import type { ActivityNotification } from "@signalbox/core/Records"

const idKey = /"_?messageId"\s*:\s*"([^"]+)"/gu

/**
 * Finds the message ids in the raw responses of an event's execution details. The API does not guarantee that they are
 * there; if they are, operators need not look them up elsewhere.
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
