import { createServer } from "node:http"
import { subscriber } from "../Input.ts"
import { announce } from "../ServerProcess.ts"

// Accepts every upsert of credentials with the same subscriber, after a latency in milliseconds.
const latencyMs = Number(process.argv[2] ?? 0)
const body = JSON.stringify(subscriber)
const server = createServer((request, response) => {
  request.resume()
  const respond = () => {
    response.writeHead(200, { "content-type": "application/json", "content-length": body.length })
    response.end(body)
  }
  request.on("end", () => (latencyMs === 0 ? respond() : setTimeout(respond, latencyMs)))
})
server.listen(0, "127.0.0.1", () => announce(server.address()))
