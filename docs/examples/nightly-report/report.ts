import type { ActivityNotification, Client } from "@signalbox/sdk"
import { appendFile, readFile, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"

/** The first failure of an event, as the service describes it. */
const failureOf = ({ jobs = [] }: ActivityNotification): string | undefined =>
  jobs.flatMap(({ executionDetails }) => executionDetails).find(({ status }) => status === "Failed")?.detail

const cursorIn = (file: string): Promise<string | undefined> => readFile(file, "utf8").catch(() => undefined)

/**
 * Appends the failed events since `after` to `failed.ndjson` in `folder`.
 *
 * The cursor of the next page is stored after each page. A run that stops continues there the next time; at most one
 * page is written twice. Events of the last minute wait for the next report, so that new events do not shift the pages.
 */
export const report = async (client: Client, folder: string, after: string): Promise<void> => {
  const before = new Date(Date.now() - 60_000)
  const progress = join(folder, "cursor")
  const cursor = await cursorIn(progress)
  for await (const page of client.events.list({ after, before, limit: 50 }).pages({ cursor })) {
    const lines = page.data.flatMap((event) => {
      const failure = failureOf(event)
      return failure === undefined ? [] : [`${JSON.stringify({ transactionId: event.transactionId, failure })}\n`]
    })
    await appendFile(join(folder, "failed.ndjson"), lines.join(""))
    if (page.cursor !== undefined) await writeFile(progress, page.cursor)
  }
  await rm(progress, { force: true })
}
