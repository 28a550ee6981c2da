import { createServer } from "node:http"
import { eventPage, subscriber } from "../Input.ts"
import { announce } from "../ServerProcess.ts"

const text = (events: number, vendor: string) => Buffer.from(JSON.stringify(eventPage({ events, vendor })))
const pages = new Map<string, Buffer>(
  [10, 50].flatMap((events) => [
    [`service ${events}`, text(events, "service")] as const,
    [`novu ${events}`, text(events, "novu")] as const
  ])
)

const stored = Buffer.from(
  JSON.stringify({
    ...subscriber,
    channels: [
      {
        _integrationId: "integration",
        providerId: "fcm",
        credentials: { deviceTokens: ["a-device-token-of-an-ordinary-length"] }
      }
    ]
  })
)

// Fixed bytes for every request: only the client is measured. The peer's key is its vendor word.
const server = createServer((request, response) => {
  if (request.method === "PATCH") {
    request.resume().on("end", () => {
      response.writeHead(200, { "content-type": "application/json", "content-length": stored.byteLength }).end(stored)
    })
    return
  }
  const limit = new URLSearchParams(request.url?.split("?", 2)[1]).get("limit") ?? "10"
  const vendor = request.headers.authorization?.includes("novu") === true ? "novu" : "service"
  const page = pages.get(`${vendor} ${limit}`)
  if (page === undefined) response.writeHead(400).end()
  else response.writeHead(200, { "content-type": "application/json", "content-length": page.byteLength }).end(page)
})
server.listen(0, "127.0.0.1", () => announce(server.address()))
