import { createServer } from "node:http"
import { announce } from "../ServerProcess.ts"

// The limit of the runtime: parse the body, write one Map entry, answer JSON.
const store = new Map<string, unknown>()
const server = createServer((request, response) => {
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
