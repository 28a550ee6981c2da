import { assert, describe, it } from "@effect/vitest"
import { createServer, type Server, type ServerResponse } from "node:http"
import { event } from "../Sample.ts"
import { open } from "./Terminal.ts"

/** A service whose answer the test changes while the program runs. */
const serve = async (answer: (response: ServerResponse) => void) => {
  let current = answer
  const server: Server = createServer((request, response) => {
    request.resume()
    current(response)
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const address = server.address()
  assert(typeof address === "object" && address !== null)
  return {
    url: `http://127.0.0.1:${address.port}`,
    answer: (next: (response: ServerResponse) => void) => {
      current = next
    },
    [Symbol.dispose]: () => {
      server.closeAllConnections()
      server.close()
    }
  }
}

const page = (count: number) => (response: ServerResponse) => {
  response.setHeader("content-type", "application/json")
  const data = Array.from({ length: count }, (_, index) => event(index, { fails: index % 2 === 1 }))
  response.end(JSON.stringify({ data, hasMore: false, page: 0, pageSize: 50 }))
}

const refuse = (status: number, body: object) => (response: ServerResponse) => {
  response.statusCode = status
  response.setHeader("content-type", "application/json")
  response.setHeader("x-request-id", "req-4711")
  response.end(JSON.stringify(body))
}

const live = (url: string) => ({ SIGNALBOX_API_KEY: "the-secret-key", SIGNALBOX_BASE_URL: url })

describe("network trouble", () => {
  it("keeps data, place and filter when the connection breaks, and goes on when it is back", async () => {
    using service = await serve(page(12))
    using terminal = open({ environment: live(service.url) })
    await terminal.idle()
    assert.include(terminal.text(), "[LIVE 127.0.0.1:")
    await terminal.press("jjj")
    service.answer((response) => response.socket?.destroy())
    await terminal.press("r")
    assert.include(terminal.text(), "r tries again now")
    assert.include(terminal.text(), "4/12")
    service.answer(page(12))
    await terminal.press("r")
    assert.notInclude(terminal.text(), "r tries again now")
    assert.include(terminal.text(), "4/12")
  })
  it("names the request and what to do, and never shows the key", async () => {
    using service = await serve(refuse(401, { message: "API Key not found" }))
    using terminal = open({ environment: live(service.url) })
    await terminal.idle()
    assert.include(terminal.text(), "events.list")
    assert.include(terminal.text(), "req-4711")
    assert.notInclude(terminal.taken(), "the-secret-key")
  })
  it("asks before it writes, wants the id typed, and loses nothing of a refused form", async () => {
    using service = await serve(page(4))
    using terminal = open({ columns: 120, rows: 40, environment: live(service.url) })
    await terminal.idle()
    await terminal.press("jc")
    await terminal.press("\u001B[200~https://hooks.example.test/T0/abcd\u001B[201~")
    await terminal.press("\u0013")
    assert.include(terminal.text(), "type u_10001 to confirm")
    service.answer(refuse(422, { message: "Validation Error" }))
    await terminal.press("u_10001\r")
    assert.include(terminal.text(), "req-4711")
    assert.include(terminal.text(), "https://hooks.example.test/T0/abcd")
  })
})
