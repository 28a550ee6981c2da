import { assert, describe, it } from "@effect/vitest"
import { hangUp, markMessages, page, reading, refuse, serve } from "./Service.ts"
import { open } from "./Terminal.ts"

const live = (url: string) => ({ SIGNALBOX_API_KEY: "the-secret-key", SIGNALBOX_BASE_URL: url })

describe("network trouble", () => {
  it("keeps data, place and filter when the connection breaks, and goes on when it is back", async () => {
    using service = await serve(page(12))
    using terminal = open({ environment: live(service.url) })
    await terminal.idle()
    assert.include(terminal.text(), "[LIVE 127.0.0.1:")
    await terminal.press("jjj")
    service.answer(hangUp)
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
  it("opens without the service, says so, and shows the events once it is there", async () => {
    using service = await serve(hangUp)
    using terminal = open({ environment: live(service.url) })
    await terminal.shows("r tries again now")
    assert.include(terminal.text(), "nothing could be read yet")
    assert.include(terminal.lines()[0], `[LIVE ${service.host}]`)
    service.answer(page(3))
    await terminal.press("r")
    assert.include(terminal.text(), "1/3")
    assert.notInclude(terminal.text(), "tries again")
  })
  it("shows each repeat of a call while it waits", async () => {
    using service = await serve(page(3))
    using terminal = open({ environment: live(service.url) })
    await terminal.idle()
    let failures = 0
    service.answer((response, request) => {
      failures += 1
      if (failures === 1) refuse(503, { message: "down" })(response, request)
    })
    terminal.send("r")
    await terminal.shows("attempt 1 failed (ServerFailure)")
  })
})

const id = (index: number) => index.toString(16).padStart(24, "0")

describe("a bulk mark that fails in part", () => {
  it("says of each message what became of it, and x sends again only the rest", async () => {
    using service = await serve(page(2))
    using terminal = open({ columns: 100, rows: 24, environment: live(service.url) })
    await terminal.idle()
    await terminal.press("m")
    await terminal.press(`\u001B[200~${Array.from({ length: 120 }, (_, index) => id(index)).join(" ")}\u001B[201~`)
    service.answer(
      reading(page(2), (response, request) =>
        (request.body.includes(id(119)) ? refuse(400, { message: "no such message" }) : markMessages)(response, request)
      )
    )
    await terminal.press("*r")
    assert.include(terminal.text(), "mark 120 messages of u_10000 as read?")
    await terminal.press("y")
    assert.include(terminal.text(), "100 of 120 messages were marked")
    assert.include(terminal.text(), "✓ done")
    await terminal.press("G")
    assert.include(terminal.text(), "✗ refused")
    service.answer(reading(page(2), markMessages))
    await terminal.press("xy")
    assert.include(terminal.text(), "20 messages set to read: 201")
    const sent = service.writes().map(({ body }) => JSON.parse(body).messageId.length)
    assert.deepStrictEqual(
      sent.toSorted((a, b) => a - b),
      [20, 20, 100]
    )
    await terminal.press("u")
    assert.include(terminal.text(), "mark 120 messages of u_10000 as unread again?")
  })
})

describe("writes on a live connection", () => {
  it("are not sent before they are confirmed, nor after esc or n", async () => {
    using service = await serve(reading(page(2), markMessages))
    using terminal = open({ environment: live(service.url) })
    await terminal.idle()
    await terminal.press("m")
    await terminal.press(`\u001B[200~${id(1)}\u001B[201~`)
    await terminal.press("r")
    assert.include(terminal.text(), `LIVE ${service.host}: mark 1 message of u_10000 as read?`)
    await terminal.press("n")
    await terminal.press("r")
    await terminal.press("\u001B")
    await terminal.press("rq")
    assert.include(terminal.text(), "y yes, n or esc no")
    assert.deepStrictEqual(service.writes(), [])
    await terminal.press("y")
    assert.include(terminal.text(), "1 message set to read: 201")
    assert.strictEqual(service.writes().length, 1)
  })
  it("that cannot be taken back are sent only with the whole id typed", async () => {
    using service = await serve(page(2))
    using terminal = open({ environment: live(service.url) })
    await terminal.idle()
    await terminal.press("jc")
    await terminal.press("\u001B[200~https://hooks.example.test/T0/abcd\u001B[201~")
    await terminal.press("\u0013")
    await terminal.press("u_1000\r")
    assert.include(terminal.text(), "type u_10001 to confirm, or press esc")
    await terminal.press("y\r")
    assert.include(terminal.text(), "to confirm")
    assert.deepStrictEqual(service.writes(), [])
    service.answer(refuse(401, {}))
    await terminal.press("\u007F1\r")
    assert.strictEqual(service.writes().length, 1)
    assert.include(service.writes()[0]?.url, "/v1/subscribers/u_10001/credentials")
  })
})
