// List events, page by page
import { createClientFromEnv } from "@signalbox/sdk"

// Demo data is at SIGNALBOX_BASE_URL. Choose the fault "503, once": lists are always retried.
const client = createClientFromEnv()

let count = 0
for await (const page of client.events.list({ limit: 25 }).pages()) {
  count += page.data.length
  console.log(`${page.data.length} events, ${count} so far`)
}
