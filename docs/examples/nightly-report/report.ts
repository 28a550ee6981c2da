import { type Client, type EventFilters, failures, isFailed } from "@signalbox/sdk"
import { appendFile, readFile, truncate } from "node:fs/promises"

/** One page of the report. */
interface Line {
  /** Where a run that reads no later line resumes. */
  readonly cursor: string
  readonly failed: ReadonlyArray<{ readonly transactionId: string; readonly failure: string | undefined }>
  /** Parts of the page that could not be read: failed events may be among them. */
  readonly unreadable: number
}

const contentOf = (file: string): Promise<string> =>
  readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return ""
    throw error
  })

/** Removes a line that a killed run did not finish, and returns the complete ones. */
const resume = async (file: string): Promise<ReadonlyArray<Line>> => {
  const content = await contentOf(file)
  const complete = content.slice(0, content.lastIndexOf("\n") + 1)
  if (complete !== content) await truncate(file, Buffer.byteLength(complete))
  return complete.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line) as Line]))
}

/**
 * Writes the failed events that the filters match to a file, one line per page.
 *
 * Each line has the rows of a page and its cursor, so the two cannot disagree: a run that was killed at any point is
 * continued by the next one, without a missing or duplicate row. After the last page, a run reads nothing.
 *
 * An event that cannot be read has no row. Resolves to the number of unreadable parts in all pages of the report.
 *
 * Set `before` to a time at least a minute ago. Events that arrive later would shift the pages.
 */
export const report = async (client: Client, file: string, filters: EventFilters): Promise<number> => {
  const lines = await resume(file)
  const cursor = lines.at(-1)?.cursor
  let total = lines.reduce((sum, line) => sum + line.unreadable, 0)
  let unreadable = 0
  const events = client.events.list(filters, {
    onDrift: (drift) => {
      unreadable += drift.unreadable.length
    }
  })
  // Without prefetching, the drift that was reported since the last page is that of this page.
  // The cursor contains the filters of the run that started the report; only its period may differ from these.
  for await (const page of events.pages({ cursor, prefetch: false })) {
    const failed = page.data
      .filter(isFailed)
      .map((event) => ({ transactionId: event.transactionId, failure: failures(event)[0]?.detail?.detail }))
    const line: Line = { cursor: page.cursor, failed, unreadable }
    await appendFile(file, `${JSON.stringify(line)}\n`)
    total += unreadable
    unreadable = 0
  }
  return total
}
