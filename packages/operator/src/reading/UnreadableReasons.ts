/**
 * Why parts of responses could not be read, each reason once: one field that a service leaves out makes thousands of parts
 * unreadable.
 */
import type { Unreadable } from "@signalbox/core/Drift"
import { redact } from "@signalbox/core/Redaction"
import { counted } from "../text/Counted.ts"

/** Parts that could not be read for one reason. */
export interface UnreadableReason {
  /** Where and why, without indexes: `jobs[]: step._templateId: Missing key`. */
  readonly reason: string
  readonly count: number
  /** The first such part. */
  readonly sample: Unreadable
}

/** Reasons by their text. */
export type UnreadableReasons = ReadonlyMap<string, UnreadableReason>

/** Everything could be read. */
export const noReasons: UnreadableReasons = new Map()

const withoutIndexes = (text: string): string => text.replaceAll(/\[\d+\]/gu, "[]")

const reasonOf = ({ path, rule }: Unreadable): string =>
  `${withoutIndexes(path).replace(/^data\[\]\.?/u, "") || "event"}: ${withoutIndexes(rule)}`

/** The reasons with those of more parts; the same object where there are none. */
export const addReasons = (reasons: UnreadableReasons, parts: ReadonlyArray<Unreadable>): UnreadableReasons => {
  if (parts.length === 0) return reasons
  const next = new Map(reasons)
  for (const part of parts) {
    const reason = reasonOf(part)
    const known = next.get(reason)
    next.set(reason, known === undefined ? { reason, count: 1, sample: part } : { ...known, count: known.count + 1 })
  }
  return next
}

/** The reasons of several reads together. */
export const joinReasons = (several: ReadonlyArray<UnreadableReasons>): UnreadableReasons => {
  const joined = new Map<string, UnreadableReason>()
  for (const one of several.flatMap((reasons) => Array.from(reasons.values()))) {
    const known = joined.get(one.reason)
    joined.set(one.reason, known === undefined ? one : { ...known, count: known.count + one.count })
  }
  return joined
}

/** The number of parts. */
export const partsOf = (reasons: UnreadableReasons): number =>
  Array.from(reasons.values()).reduce((sum, { count }) => sum + count, 0)

/** The reasons, the most frequent first, one a line: `200 × jobs[]: step._templateId: Missing key`. */
export const reasonLines = (reasons: UnreadableReasons): ReadonlyArray<string> =>
  sorted(reasons).map(({ count, reason }) => `${count} × ${reason}`)

const sorted = (reasons: UnreadableReasons): ReadonlyArray<UnreadableReason> =>
  Array.from(reasons.values()).sort((a, b) => b.count - a.count)

const asJson = (raw: unknown): string =>
  raw === undefined ? "  (absent)" : JSON.stringify(redact(raw), null, 2).replaceAll(/^/gmu, "  ")

/** The reasons, where there are several, then each with the first part that it is about, as received, without secrets. */
export const reasonsText = (reasons: UnreadableReasons): string =>
  [
    ...(reasons.size > 1 ? [reasonLines(reasons).join("\n")] : []),
    ...sorted(reasons).map(
      ({ count, reason, sample }) =>
        `${counted(count, "part")}: ${reason}\nfirst at ${sample.path}, as received:\n${asJson(sample.raw)}`
    )
  ].join("\n\n")
