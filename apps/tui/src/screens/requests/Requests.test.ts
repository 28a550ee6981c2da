import { assert, describe, it } from "@effect/vitest"
import { initial, loaded, now, play, pressed, screen } from "../../../test/Sample.ts"
import { requestOf } from "../../runtime/RequestOf.ts"
import type { Msg } from "../../state/Msg.ts"
import type { RequestRecord } from "../../state/Requests.ts"
import { topScreen } from "../../state/ScreenStack.ts"

const request = (more: Partial<RequestRecord> = {}): Msg => ({
  _tag: "RequestMade",
  request: {
    startedAt: now,
    method: "GET",
    target: "/v1/notifications?limit=50&page=0",
    number: 1,
    status: 200,
    durationMs: 143,
    delayMs: 0,
    outcome: "success",
    requestId: "req-4711",
    curl: "curl --request GET 'https://api.example.test/v1/notifications'",
    ...more
  }
})

describe("the request log", () => {
  const log = play(
    loaded(5),
    request(),
    request({
      target: "/v1/notifications?limit=50&page=1",
      status: 503,
      outcome: "ServerFailure",
      requestId: "req-4712"
    }),
    request({ target: "/v1/notifications?limit=50&page=1", number: 2, delayMs: 312 })
  ).state

  it("shows every request with status, duration, retries and id, the latest first", () => {
    for (const size of [
      { columns: 60, rows: 15 },
      { columns: 120, rows: 40 }
    ]) {
      const lines = screen(play({ ...log, size }, pressed("L")).state)
      assert.isTrue(lines.some((line) => line.includes("3 requests, 1 failed; newest first")))
      assert.isTrue(lines.some((line) => /^›.*✓ 200 retry 1/u.test(line)))
      assert.isTrue(lines.some((line) => /✗ 503 +143 ms +GET/u.test(line)))
      assert.isTrue(lines.some((line) => line.includes("number 1, after a wait of 312 ms")))
    }
  })

  it("copies the request under the cursor as cURL, and its id", () => {
    const [copied] = play(log, pressed("L", "j", "y", "c")).commands
    assert.deepInclude(copied, { _tag: "Copy", what: "cURL command" })
    const [id] = play(log, pressed("L", "j", "y", "i")).commands
    assert.deepInclude(id, { _tag: "Copy", text: "req-4712" })
  })

  it("reports that no request was sent yet, and goes back", () => {
    const empty = play(initial(), pressed("L")).state
    assert.isTrue(screen(empty).some((line) => line.includes("no request has been made")))
    assert.strictEqual(topScreen(play(empty, pressed("escape")).state)._tag, "Events")
  })
})

describe("requestOf", () => {
  const connection = {
    name: "acme",
    kind: "live",
    baseUrl: "https://api.example.test",
    readOnly: false,
    choices: []
  } as const

  it("names method and target, with secrets as variables", () => {
    const made = requestOf(
      {
        _tag: "UpsertCredentials",
        screenId: 1,
        subscriberId: "u 1",
        input: { providerId: "slack", credentials: { webhookUrl: "https://hooks.example.test/T0/secret" } }
      },
      connection
    )
    assert.strictEqual(made?.method, "PATCH")
    assert.strictEqual(made?.target, "/v1/subscribers/u%201/credentials")
    assert.notInclude(made?.curl, "secret")
    assert.include(made?.curl, "$WEBHOOK_URL")
  })

  it("is absent for a command that sends no request", () => {
    assert.isUndefined(requestOf({ _tag: "Quit" }, connection))
  })
})

describe("escape while the list is read", () => {
  const reading = play(loaded(5), pressed("r"), {
    _tag: "TaskStarted",
    task: { id: 1, label: "reading the newest events", startedAt: now, writes: false }
  }).state

  it("stops the read, and r reads again", () => {
    assert.deepStrictEqual(play(reading, pressed("escape")).commands, [{ _tag: "StopReading" }])
    const stopped = play(reading, { _tag: "ReadingStopped" }, { _tag: "TaskEnded", id: 1 }).state
    assert.include(stopped.notice?.text, "reading stopped; r reads again")
    assert.strictEqual(play(stopped, pressed("r")).commands[0]?._tag, "LoadEvents")
  })

  it("never stops a write", () => {
    const writing = { ...reading, tasks: reading.tasks.map((task) => Object.assign({}, task, { writes: true })) }
    assert.deepStrictEqual(play(writing, pressed("escape")).commands, [])
  })
})
