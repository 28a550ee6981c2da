/**
 * Server-sent events about everything that changes in a fake.
 */
import type { ServerResponse } from "node:http"
import { liveView } from "../control/LiveView.ts"
import type { Fake } from "../environment/Fake.ts"

/** At most 5 batches a second: a page that renders each request separately does not keep up with a test. */
const intervalMs = 200

/** A client that reads slowly gets later batches, which have more in them. */
const maxUnsentBytes = 1_000_000

/** Sends batches until the client disconnects; the first one has everything. */
export const sendLiveEvents = (fake: Fake, reply: ServerResponse): void => {
  const view = liveView(fake)
  reply.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-store" })
  const send = (): void => {
    if (reply.writableLength > maxUnsentBytes) return
    const batch = view.next()
    if (batch !== undefined) reply.write(`data: ${JSON.stringify(batch)}\n\n`)
  }
  send()
  const timer = setInterval(send, intervalMs)
  reply.once("close", () => {
    clearInterval(timer)
    view.stop()
  })
}
