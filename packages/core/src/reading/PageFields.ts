import { type DriftEntry, makeUnreadable, type Unreadable } from "./DriftEntry.ts"
import type { Issue } from "./Issues.ts"
import type { JsonObject } from "./JsonObject.ts"

/** A page whose fields around the list of records can be read. */
export interface RepairedPage {
  readonly page: JsonObject
  readonly unreadable: ReadonlyArray<Unreadable>
  readonly drift: ReadonlyArray<DriftEntry>
}

/** What a page with this many records is read as. It may have a successor: a caller that asks for one finds the end. */
const derivedFields = (records: number): JsonObject => ({ hasMore: records > 0, page: 0, pageSize: records })

/** The number or boolean in a string. */
const valueIn = (part: unknown): unknown =>
  typeof part === "string" && /^(true|false|\d+)$/.test(part) ? JSON.parse(part) : part

/**
 * Replaces the fields around the records of a page that are absent or of another type, so that they do not cost the
 * records: by the value in the string in their place, or by what the number of records shows. The issues are those fields'.
 */
export const repairPage = (page: JsonObject, records: number, issues: ReadonlyArray<Issue>): RepairedPage => {
  const repaired: Record<string, unknown> = { ...page }
  const derived = derivedFields(records)
  const unreadable: Array<Unreadable> = []
  const drift: Array<DriftEntry> = []
  for (const { path, rule } of issues) {
    const name = String(path[0])
    const value = valueIn(page[name])
    if (name in page) unreadable.push(makeUnreadable(name, rule, page[name]))
    else drift.push({ kind: "missing-field", path: name })
    repaired[name] = typeof value === typeof derived[name] ? value : derived[name]
  }
  return { page: repaired, unreadable, drift }
}
