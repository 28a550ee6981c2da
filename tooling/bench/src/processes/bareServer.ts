import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { announce } from "../ServerProcess.ts"

// The limit of the runtime. POST: parse the body, write one Map entry, answer JSON. GET: send the page that PUT stored.
const store = new Map<string, unknown>()
let page = Buffer.of()

const storePage = (request: IncomingMessage, response: ServerResponse) => {
  const chunks: Array<Buffer> = []
  request.on("data", (chunk: Buffer) => chunks.push(chunk))
  request.on("end", () => {
    page = Buffer.concat(chunks)
    response.writeHead(204).end()
  })
}

const server = createServer((request, response) => {
  if (request.method === "PUT") return storePage(request, response)
  if (request.method === "GET") {
    response.writeHead(200, { "content-type": "application/json", "content-length": page.byteLength }).end(page)
    return
  }
  const chunks: Array<Buffer> = []
  request.on("data", (chunk: Buffer) => chunks.push(chunk))
  request.on("end", () => {
    const body: unknown = chunks.length === 0 ? {} : JSON.parse(Buffer.concat(chunks).toString())
    store.set(request.url ?? "", body)
    const answer = JSON.stringify([])
    response.writeHead(201, { "content-type": "application/json", "content-length": Buffer.byteLength(answer) })
    response.end(answer)
  })
})
server.listen(0, "127.0.0.1", () => announce(server.address()))
