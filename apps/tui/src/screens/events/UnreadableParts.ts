import type { Unreadable } from "@signalbox/core/DriftEntry"
import { redact } from "@signalbox/core/Redaction"

/** Parts of responses that could not be read, by the page they came with: a page that is read again replaces its own. */
export type UnreadableParts = ReadonlyMap<number, ReadonlyArray<Unreadable>>

/** No such part. */
export const none: UnreadableParts = new Map()

/** How many parts there are. */
export const countOf = (parts: UnreadableParts): number =>
  Array.from(parts.values()).reduce((sum, { length }) => sum + length, 0)

/** The parts with those of one page replaced. */
export const withPage = (
  parts: UnreadableParts,
  page: number,
  unreadable: ReadonlyArray<Unreadable>
): UnreadableParts => (unreadable.length === 0 && !parts.has(page) ? parts : new Map([...parts, [page, unreadable]]))

const asJson = (raw: unknown): string =>
  raw === undefined ? "  (absent)" : JSON.stringify(redact(raw), null, 2).replaceAll(/^/gmu, "  ")

/** The position of each part, the expected value, and the received one, without secrets. */
export const textOf = (parts: UnreadableParts): string =>
  Array.from(parts)
    .flatMap(([page, unreadable]) =>
      unreadable.map(({ path, raw, rule }) => `page ${page}, ${path}: ${rule}\n${asJson(raw)}`)
    )
    .join("\n\n")
