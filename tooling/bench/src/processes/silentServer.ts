import { createServer } from "node:http"
import { announce } from "../ServerProcess.ts"

// Never responds, except to say how many connections it accepted.
let connections = 0
const server = createServer((request, response) => {
  if (request.url === "/connections") response.end(String(connections))
  else request.resume()
})
server.on("connection", () => connections++)
server.listen(0, "127.0.0.1", 4096, () => announce(server.address()))
