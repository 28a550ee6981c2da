import { folderOfTest } from "@signalbox/testing/Folder"
import { assert, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { createFake } from "../index.ts"
import { driftFrom } from "../recording/Recording.ts"
import { listen, readPreset } from "../server.ts"
import { recordFrom, recordingIn, replay, writeRecording } from "./RecordCommand.ts"

const clientOf =
  (url: string, apiKey: string) =>
  (method: string, path: string, body?: object, key = apiKey) =>
    fetch(`${url}/v1${path}`, {
      method,
      headers: { ...(key === "" ? {} : { authorization: `ApiKey ${key}` }), "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) })
    }).then(async (response) => ({ status: response.status, body: await response.json() }))

const scene = async () => {
  const fake = createFake({ data: "empty", preset: "observed" })
  fake.addSubscriber({ subscriberId: "ana" })
  fake.addIntegration({ providerId: "fcm" })
  const service = await listen(fake)
  const recorder = await recordFrom(`${service.url}/`)
  const send = clientOf(recorder.url, fake.apiKey)
  const upsert = { providerId: "fcm", credentials: { deviceTokens: ["secret-token"] } }
  const results = [
    await send("PATCH", "/subscribers/ana/credentials", upsert),
    await send("GET", `/notifications?limit=5&apiKey=${fake.apiKey}`),
    await send("GET", "/notifications?limit=99"),
    await send("GET", "/notifications", undefined, "")
  ]
  const close = async () => {
    await recorder.close()
    await service.close()
  }
  return { fake, recorder, results, upsert, [Symbol.asyncDispose]: close }
}

describe("a recording of a service", () => {
  it("has the exchanges without secrets, and the switches that they show", async () => {
    await using scenery = await scene()
    const recording = scenery.recorder.recording()
    assert.deepStrictEqual(
      recording.exchanges.map(({ hasKey, method, status }) => [method, status, hasKey]),
      [
        ["PATCH", 200, true],
        ["GET", 200, true],
        ["GET", 422, true],
        ["GET", 401, false]
      ]
    )
    const text = JSON.stringify(recording)
    for (const secret of ["secret-token", scenery.fake.apiKey]) assert.notInclude(text, secret)
    assert.deepStrictEqual(driftFrom(recording, "observed"), [])
    assert.include(
      driftFrom(recording, "document").join("\n"),
      "envelope: the service shows data (exchange 1), the preset has bare"
    )
    assert.deepStrictEqual(driftFrom(recording, "document", { ...scenery.fake.switches }), [])
  })

  it("is replayed for equal requests, with any key and any secret", async () => {
    await using scenery = await scene()
    const file = join(folderOfTest(), "service.json")
    writeRecording(file, scenery.recorder.recording())
    assert.strictEqual(readPreset(file.replace(".json", ".preset.json")).switches?.envelope, "data")
    const server = await replay(recordingIn(file))
    const send = clientOf(server.url, "another-key")
    const upsert = { ...scenery.upsert, credentials: { deviceTokens: ["other-token"] } }
    const again = await send("PATCH", "/subscribers/ana/credentials", upsert)
    assert.strictEqual(again.status, 200)
    assert.nestedInclude(again.body, { "data.subscriberId": "ana" })
    assert.deepStrictEqual(await send("GET", "/notifications?limit=99"), scenery.results[2])
    assert.deepStrictEqual(await send("GET", "/notifications?limit=98"), {
      status: 502,
      body: { message: "the recording has no response to GET /v1/notifications" }
    })
    await server.close()
    assert.notInclude(readFileSync(file, "utf8"), "secret-token")
  })

  it("is refused if it is no recording", () => {
    assert.throws(() => recordingIn("none.json"), "none.json: cannot be read")
  })
})
