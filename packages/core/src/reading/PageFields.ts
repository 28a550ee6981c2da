import { type DriftEntry, makeUnreadable, type Unreadable } from "./DriftEntry.ts"
import type { Issue } from "./Issues.ts"
import type { JsonObject } from "./JsonObject.ts"

/** A page whose fields around the list of records can be read. */
export interface RepairedPage {
  readonly page: JsonObject
  readonly unreadable: ReadonlyArray<Unreadable>
  readonly drift: ReadonlyArray<DriftEntry>
}

/**
 * Derives the fields around the records of a page that are absent or of another type, so that they do not cost the
 * records. Such a page may have a successor: a caller that asks for one finds the end. The issues are those fields'.
 */
export const repairPage = (page: JsonObject, records: number, issues: ReadonlyArray<Issue>): RepairedPage => {
  const derived: JsonObject = { hasMore: records > 0, page: 0, pageSize: records }
  const repaired: Record<string, unknown> = { ...page }
  const unreadable: Array<Unreadable> = []
  const drift: Array<DriftEntry> = []
  for (const { path, rule } of issues) {
    const name = String(path[0])
    repaired[name] = derived[name]
    if (name in page) unreadable.push(makeUnreadable(name, rule, page[name]))
    else drift.push({ kind: "missing-field", path: name })
  }
  return { page: repaired, unreadable, drift }
}
