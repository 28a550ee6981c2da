// Why did a message not arrive?
import { createClientFromEnv, failures } from "@signalbox/sdk"

const client = createClientFromEnv()

const { data } = await client.events.list({ limit: 50 })
const rows = data.flatMap((event) =>
  failures(event).map(({ detail, job }) => ({
    subscriber: event.subscriber?.subscriberId,
    step: job.type,
    provider: job.providerId,
    detail: detail?.detail
  }))
)
console.table(rows)
