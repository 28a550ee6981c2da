import { createServer } from "node:http"
import { eventPage } from "../Input.ts"
import { announce } from "../ServerProcess.ts"

// The events that a service lists to a terminal UI: `events` of the past, and `rate` more each second since the start.
const [events = 0, rate = 0] = process.argv.slice(2).map(Number)
const kept = 50
const templates = eventPage({ events: kept }).data
const start = Date.now()
const second = 1_000

/** The event of a place in time: 0 is the first after the start, -1 the last before it. */
const eventAt = (place: number) => {
  const at = start + (place >= 0 ? (place / rate) * second : place * second)
  const template = templates[((place % kept) + kept) % kept]
  const createdAt = new Date(at).toISOString()
  const id = (place + 1_000_000).toString(16).padStart(24, "0")
  return { ...template, _id: id, transactionId: `txn_${id}`, createdAt, updatedAt: createdAt }
}

/** The newest event, and the first place that is newer than a time. */
const newest = () => (rate === 0 ? -1 : Math.floor(((Date.now() - start) / second) * rate))
const firstAfter = (time: number) =>
  time >= start ? Math.floor(((time - start) / second) * rate) + 1 : Math.floor((time - start) / second) + 1

const server = createServer((request, response) => {
  const query = new URLSearchParams(request.url?.split("?", 2)[1])
  const limit = Number(query.get("limit") ?? 10)
  const page = Number(query.get("page") ?? 0)
  const after = query.get("after")
  const before = query.get("before")
  const last = before === null ? newest() : Math.min(newest(), firstAfter(Date.parse(before) - 1) - 1)
  const first = Math.max(-events, after === null ? -events : firstAfter(Date.parse(after)))
  const from = last - page * limit
  const to = Math.max(first, from - limit + 1)
  const data = Array.from({ length: Math.max(0, from - to + 1) }, (_, index) => eventAt(from - index))
  const body = Buffer.from(JSON.stringify({ data, hasMore: to > first, page, pageSize: limit }))
  response.writeHead(200, { "content-type": "application/json", "content-length": body.byteLength }).end(body)
})
server.listen(0, "127.0.0.1", () => announce(server.address()))
