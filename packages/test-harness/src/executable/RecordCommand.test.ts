import { damagesOf } from "@signalbox/testing/Damage"
import { folderOfTest } from "@signalbox/testing/Folder"
import { assert, describe, it } from "@effect/vitest"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { createFake } from "../index.ts"
import { driftFrom } from "../recording/RecordingDrift.ts"
import { listen, readPreset } from "../server.ts"
import { recordFrom, recordingIn, replay } from "./RecordCommand.ts"

const clientOf =
  (url: string, apiKey: string) =>
  (method: string, path: string, body?: object, key = apiKey) =>
    fetch(`${url}/v1${path}`, {
      method,
      headers: { ...(key === "" ? {} : { authorization: `ApiKey ${key}` }), "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) })
    }).then(async (response) => {
      const text = await response.text()
      return { status: response.status, body: text === "" ? undefined : JSON.parse(text) }
    })

const scene = async (preset: "document" | "observed" | "adversarial" = "observed") => {
  const fake = createFake({ data: "empty", preset })
  fake.addSubscriber({ subscriberId: "ana" })
  fake.addIntegration({ providerId: "fcm" })
  const service = await listen(fake)
  const file = join(folderOfTest(), "service.json")
  const recorder = await recordFrom(`${service.url}/`, file)
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
  return { fake, file, recorder, results, upsert, [Symbol.asyncDispose]: close }
}

describe("a recording of a service", () => {
  it("has the exchanges without secrets, and the switches that they show", async () => {
    await using scenery = await scene()
    const recording = recordingIn(scenery.file)
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
    const differences = async (expected: Parameters<typeof driftFrom>[1]) =>
      (await driftFrom(recording, expected)).lines
    assert.deepStrictEqual(await differences({ preset: "observed" }), [])
    assert.include(
      (await differences({})).join("\n"),
      "envelope: the service shows data (exchange 1), the preset has bare"
    )
    assert.deepStrictEqual(await differences({ switches: { ...scenery.fake.switches } }), [])
  })

  it("is rejected with its path where it is damaged, and stays unchanged", () => {
    const exchange = {
      method: "GET",
      target: "/v1/notifications",
      hasKey: true,
      status: 200,
      headers: {},
      response: []
    }
    const whole = `${JSON.stringify({ version: 1, exchanges: [exchange] }, undefined, 1)}\n`
    const file = join(folderOfTest(), "service.json")
    let rejected = 0
    for (const { bytes, damage } of damagesOf(whole)) {
      writeFileSync(file, bytes)
      try {
        const { exchanges } = recordingIn(file)
        // Another value, or an exchange that lost its response.
        assert.isAtMost(exchanges.length, 2, damage)
      } catch (error) {
        if (!(error instanceof RangeError)) throw error
        assert.match(error.message, /^\S+service\.json: (?:is not valid JSON|recording\S*: .+)$/u, damage)
        rejected += 1
      }
      assert.isTrue(readFileSync(file).equals(bytes))
    }
    assert.isAbove(rejected, 300)
  })

  it("is replayed for equal requests, with any key and any secret", async () => {
    await using scenery = await scene()
    const { file, recorder } = scenery
    assert.strictEqual(recorder.finish(), 4)
    assert.strictEqual(readPreset(file.replace(".json", ".preset.json")).switches?.envelope, "data")
    const server = await replay(recordingIn(file))
    const send = clientOf(server.url, "another-key")
    const upsert = { ...scenery.upsert, credentials: { deviceTokens: ["other-token"] } }
    const again = await send("PATCH", "/subscribers/ana/credentials", upsert)
    assert.strictEqual(again.status, 200)
    assert.nestedInclude(again.body, { "data.subscriberId": "ana" })
    assert.deepStrictEqual(await send("GET", "/notifications?limit=99"), scenery.results[2])
    assert.deepStrictEqual(await send("GET", "/notifications?limit=98"), {
      status: 400,
      body: {
        message:
          "the recording has no response to GET /v1/notifications?limit=98; the nearest that it has is GET /v1/notifications?limit=99"
      }
    })
    await server.close()
    assert.notInclude(readFileSync(file, "utf8"), "secret-token")
  })

  it("is replayed in its order, whatever the order of query parameters and fields, and to a key without rejections", async () => {
    const exchangeOf = (target: string, status: number, hasKey = true, body?: object) => ({
      method: body === undefined ? "GET" : "POST",
      target,
      hasKey,
      status,
      headers: {},
      ...(body === undefined ? {} : { body }),
      response: { status }
    })
    const server = await replay({
      version: 1,
      exchanges: [
        exchangeOf("/v1/jobs?a=1&b=2", 201),
        exchangeOf("/v1/jobs?b=2&a=1", 401),
        exchangeOf("/v1/jobs?a=1&b=2", 403, false),
        exchangeOf("/v1/jobs?a=1&b=2", 202),
        exchangeOf("/v1/rejected", 401),
        exchangeOf("/v1/jobs", 201, true, { name: "x", tags: ["a"] })
      ]
    })
    const send = clientOf(server.url, "a-key")
    const statuses = []
    for (const path of ["/jobs?b=2&a=1", "/jobs?a=1&b=2", "/jobs?b=2&a=1", "/rejected"]) {
      statuses.push((await send("GET", path)).status)
    }
    assert.deepStrictEqual(statuses, [201, 202, 202, 401])
    assert.strictEqual((await send("GET", "/jobs?a=1&b=2", undefined, "")).status, 403)
    assert.strictEqual((await send("POST", "/jobs", { tags: ["a"], name: "x" })).status, 201)
    const messages = await Promise.all([
      send("POST", "/jobs", { name: "y" }),
      send("GET", "/jobs?a=1&b=3"),
      send("GET", "/")
    ])
    assert.deepStrictEqual(
      messages.map(({ body }) => body.message),
      [
        "the recording has no response to POST /v1/jobs; it has one to another body",
        "the recording has no response to GET /v1/jobs?a=1&b=3; the nearest that it has is GET /v1/jobs?a=1&b=2",
        "the recording has no response to GET /v1/"
      ]
    )
    await server.close()
  })

  it("shows how records differ from the API document", async () => {
    await using scenery = await scene()
    const { fake, file, recorder } = scenery
    fake.addWorkflow({ identifier: "welcome", steps: [{ type: "email" }] })
    fake.trigger({ workflow: "welcome", to: "ana" })
    fake.trigger({ workflow: "welcome", to: "ana" })
    await clientOf(recorder.url, fake.apiKey)("GET", "/notifications?limit=9")
    const text = JSON.stringify(recordingIn(file))
      .replace(/"transactionId":"[^"]*",/u, "")
      .replaceAll('"channels":["email"]', '"channels":["hologram"],"brandNew":1')
    const { compared, lines } = await driftFrom(JSON.parse(text), { preset: "observed" })
    assert.deepStrictEqual(lines, [
      'events.list: unknown-enum-value at data[].channels[]: "hologram" (exchange 5)',
      "events.list: unknown-field at data[].brandNew (exchange 5)",
      "events.list: unreadable at data[]: transactionId: Missing key (exchange 5)"
    ])
    assert.match(compared, /^responses with records: 3; switches: .*envelope/u)
  })

  it.each(["document", "observed", "adversarial"] as const)(
    "does not differ from its own preset, %s",
    async (preset) => {
      await using scenery = await scene(preset)
      assert.deepStrictEqual((await driftFrom(recordingIn(scenery.file), { preset })).lines, [])
    }
  )

  it("is no evidence if it shows nothing", async () => {
    const error = await driftFrom({ version: 1, exchanges: [] }, {}).catch((thrown: unknown) => thrown)
    assert.strictEqual(
      String(error),
      "RangeError: none of the 0 exchanges shows a switch or a record, so there is nothing to check"
    )
  })

  it("is refused if it is no recording", () => {
    assert.throws(() => recordingIn("none.json"), "none.json: cannot be read")
  })
})
