import { Transport } from "@signalbox/core/Transport"
import { assert, describe, it } from "@effect/vitest"
import { makeRecorder } from "../recording/Recorder.ts"
import { readRecording } from "../recording/Recording.ts"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Msg } from "../state/Msg.ts"
import { makeRecordings } from "./Recordings.ts"
import { demoSession } from "./Session.ts"

const start = { connection: "demo", baseUrl: "http://signalbox.test", filter: "", events: 0, masked: false }

const command = { _tag: "StartRecording", name: "a.ndjson", start } as const

const response = { status: 200, headers: {}, text: '{"data":[{"firstName":"Ana","_id":"1"}]}' }

/** A recording to a file of memory, and what sends a request through the recorder. */
const opened = async (
  options: { readonly maxBytes?: number; readonly isMasked?: () => boolean; readonly failsAt?: number } = {}
) => {
  let content = ""
  let appends = 0
  let isClosed = false
  const messages: Array<Msg> = []
  const { failsAt, isMasked = () => false, ...rest } = options
  const recordings = makeRecordings({
    ...rest,
    dispatch: (message) => messages.push(message),
    now: () => 0,
    isMasked,
    host: {
      create: async (path) => ({
        path,
        append: async (text) => {
          appends += 1
          if (appends === failsAt) throw new Error("ENOSPC: no space left on device, write")
          content += text
        },
        close: async () => {
          isClosed = true
        }
      })
    }
  })
  const recorder = makeRecorder()
  const session = { ...demoSession({ choices: [] }), recorder }
  await session.runtime.dispose()
  await recordings.start(session, command)
  const below = Layer.succeed(Transport, { send: () => Effect.succeed(response) })
  const send = () =>
    Effect.runPromise(
      Effect.flatMap(Transport, (transport) =>
        transport.send({ method: "GET", url: "http://signalbox.test/v1/notifications", headers: {}, body: undefined })
      ).pipe(Effect.provide(recorder.layer.pipe(Layer.provide(below))))
    )
  const exchanges = () => {
    const read = readRecording(content)
    assert(read._tag === "Read")
    return read.recording.exchanges
  }
  return { recordings, messages, send, exchanges, content: () => content, isClosed: () => isClosed }
}

describe("a recording", () => {
  it("has an exchange in the file before its response is handed on, in order, also when several are sent at once", async () => {
    const { exchanges, messages, send } = await opened()
    assert.deepStrictEqual(messages, [{ _tag: "RecordingStarted", path: "a.ndjson", startedAt: 0 }])
    await send()
    assert.lengthOf(exchanges(), 1)
    await Promise.all([send(), send(), send()])
    assert.lengthOf(exchanges(), 4)
    assert.deepStrictEqual(messages.at(-1), { _tag: "RecordingGrew", exchanges: 4 })
  })
  it("masks while the screen is masked", async () => {
    let masked = false
    const { content, send } = await opened({ isMasked: () => masked })
    await send()
    assert.include(content(), "Ana")
    masked = true
    const before = content().length
    await send()
    assert.notInclude(content().slice(before), "Ana")
  })
  it("ends where the file is full, and reports it; responses arrive all the same", async () => {
    const { content, isClosed, messages, send } = await opened({ maxBytes: 700 })
    for (let count = 0; count < 6; count += 1) assert.deepStrictEqual(await send(), response)
    assert.isAtMost(content().length, 700)
    assert.isTrue(isClosed())
    const last = messages.at(-1)
    assert(last?._tag === "RecordingEnded")
    assert.include(last.why, "the limit")
  })
  it("ends where it cannot be written any more", async () => {
    const { exchanges, messages, send } = await opened({ failsAt: 3 })
    for (let count = 0; count < 3; count += 1) assert.deepStrictEqual(await send(), response)
    assert.lengthOf(exchanges(), 1)
    assert.deepInclude(messages.at(-1), {
      _tag: "RecordingEnded",
      exchanges: 1,
      why: "ENOSPC: no space left on device, write"
    })
  })
  it("ends once", async () => {
    const { messages, recordings, send } = await opened()
    await Promise.all([recordings.stop("one"), recordings.stop("two")])
    await send()
    assert.deepStrictEqual(messages.slice(1), [{ _tag: "RecordingEnded", path: "a.ndjson", exchanges: 0, why: "one" }])
  })
})
