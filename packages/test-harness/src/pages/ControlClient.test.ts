import { afterEach, describe, expect, it, vi } from "vitest"
import { control, follow } from "./ControlClient.ts"
import type { Msg } from "./Model.ts"

/** The requests to a control API that responds with this. */
const requestsTo = (response: Response): ReadonlyArray<Parameters<typeof fetch>> => {
  const sent: Array<Parameters<typeof fetch>> = []
  vi.stubGlobal("fetch", async (...request: Parameters<typeof fetch>) => {
    sent.push(request)
    return response
  })
  return sent
}

describe("a request of a page to the control API", () => {
  afterEach(() => void vi.unstubAllGlobals())

  const headers = { authorization: "ApiKey key-1", "content-type": "application/json" }

  it("has the key of the environment, and a body only if there is one", async () => {
    const sent = requestsTo(Response.json({ ok: true }))
    expect(await control("key-1", "GET", "state")).toEqual({ ok: true })
    expect(sent).toEqual([["/_fake/state", { method: "GET", headers }]])
    const posted = requestsTo(Response.json([]))
    expect(await control("key-1", "POST", "clock", { advanceMs: 5 })).toEqual([])
    expect(posted).toEqual([["/_fake/clock", { method: "POST", headers, body: '{"advanceMs":5}' }]])
  })

  it.each([
    [{ message: "advanceMs: must be 0 or more" }, "advanceMs: must be 0 or more"],
    [{ error: "no" }, "400"],
    ["no", "400"],
    [null, "400"]
  ])("that is rejected with %j throws its message, or else its status", async (body, message) => {
    requestsTo(Response.json(body, { status: 400 }))
    await expect(control("key-1", "GET", "state")).rejects.toThrow(new Error(message))
  })
})

describe("the live view of a page", () => {
  afterEach(() => void vi.unstubAllGlobals())

  it("sends what happens until it is stopped", () => {
    const opened: Array<string> = []
    const closed: Array<string> = []
    const source = Object.assign(new EventTarget(), { close: () => void closed.push("closed") })
    vi.stubGlobal("EventSource", function (url: string) {
      opened.push(url)
      return source
    })
    const sent: Array<Msg> = []
    const stop = follow((msg) => void sent.push(msg))
    source.dispatchEvent(new Event("open"))
    source.dispatchEvent(new MessageEvent("message", { data: '{"entries":[]}' }))
    source.dispatchEvent(new Event("error"))
    expect(sent).toEqual([{ _tag: "Connected" }, { _tag: "Batch", batch: { entries: [] } }, { _tag: "Disconnected" }])
    expect(closed).toEqual([])
    stop()
    expect([opened, closed]).toEqual([["/_fake/events"], ["closed"]])
  })
})
