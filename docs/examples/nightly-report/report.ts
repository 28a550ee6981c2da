import { type Client, type EventFilters, failures, isFailed } from "@signalbox/sdk"
import { appendFile, readFile, truncate } from "node:fs/promises"

/** One page of the report. */
interface Line {
  /** Where a run that reads no later line resumes. */
  readonly cursor: string
  readonly failed: ReadonlyArray<{ readonly transactionId: string; readonly failure: string | undefined }>
}

const contentOf = (file: string): Promise<string> =>
  readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return ""
    throw error
  })

/** Removes a line that a killed run did not finish, and returns the cursor of the last complete one. */
const resume = async (file: string): Promise<string | undefined> => {
  const content = await contentOf(file)
  const complete = content.slice(0, content.lastIndexOf("\n") + 1)
  if (complete !== content) await truncate(file, Buffer.byteLength(complete))
  const last = complete.split("\n").at(-2)
  return last === undefined ? undefined : (JSON.parse(last) as Line).cursor
}

/**
 * Writes the failed events that the filters match to a file, one line per page.
 *
 * Each line has the rows of a page and its cursor, so the two cannot disagree: a run that was killed at any point is
 * continued by the next one, without a missing or duplicate row. After the last page, a run reads nothing.
 *
 * Set `before` to a time at least a minute ago. Events that arrive later would shift the pages.
 */
export const report = async (client: Client, file: string, filters: EventFilters): Promise<void> => {
  const cursor = await resume(file)
  // The cursor contains the filters of the run that started the report; only its period may differ from these.
  for await (const page of client.events.list(filters).pages({ cursor })) {
    const failed = page.data
      .filter(isFailed)
      .map((event) => ({ transactionId: event.transactionId, failure: failures(event)[0]?.detail?.detail }))
    const line: Line = { cursor: page.cursor, failed }
    await appendFile(file, `${JSON.stringify(line)}\n`)
  }
}
