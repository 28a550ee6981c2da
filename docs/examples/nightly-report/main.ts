import { createClientFromEnv } from "@signalbox/sdk"
import { report } from "./report.ts"

const oneDay = 24 * 60 * 60 * 1000
const yesterday = new Date(Date.now() - oneDay).toISOString().slice(0, 10)

// A day in UTC, for example 2026-11-21.
const [day = yesterday] = process.argv.slice(2)
const after = new Date(`${day}T00:00:00Z`)
const before = new Date(after.getTime() + oneDay)

const client = createClientFromEnv()
try {
  const unreadable = await report(client, `failed-${day}.ndjson`, { after, before, limit: 50 })
  if (unreadable > 0) {
    console.error(`${unreadable} parts of events could not be read: failures may be missing`)
    process.exitCode = 1
  }
} finally {
  await client.close()
}
