import { startProgram } from "@signalbox/testing/Program"
import { assert, describe, it } from "@effect/vitest"
import { testSource } from "../../src/control/TestSource.ts"
import { createFake, Fault } from "../../src/index.ts"
import { listen } from "../../src/server.ts"

const scene = async () => {
  const fake = createFake({ data: "empty", switches: { envelope: "bare" } })
  fake.addSubscriber({ subscriberId: "ana", firstName: "O'Neill" })
  fake.addIntegration({ providerId: "fcm" })
  const server = await listen(fake)
  const send = (method: string, path: string, body?: object) =>
    fetch(`${server.url}/v1${path}`, {
      method,
      headers: { authorization: `ApiKey ${fake.apiKey}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) })
    }).catch(() => undefined)
  await send("PATCH", "/subscribers/ana/credentials", {
    providerId: "fcm",
    credentials: { deviceTokens: ["token"], title: "it's" }
  })
  fake.faults.add(Fault.status(503, { operation: "events.list" }))
  await send("GET", "/notifications?limit=5")
  fake.faults.add(Fault.reset({ operation: "messages.markAs" }))
  await send("POST", "/subscribers/ana/messages/mark-as", { messageId: ["none"], markAs: "read" })
  return { fake, server, [Symbol.asyncDispose]: server.close }
}

/** The sources of all requests of the scene, each with the outcome that its request had. */
const sourcesOf = ({ fake }: Awaited<ReturnType<typeof scene>>, language: "python" | "curl") =>
  fake.journal.entries().map((entry) => ({ source: testSource(fake, entry, language), outcome: entry.outcome }))

describe("the source of a request", () => {
  it.skipIf(process.platform === "win32")("passes as a test of pytest", async () => {
    await using scenery = await scene()
    for (const { source } of sourcesOf(scenery, "python")) {
      const call = `${source}\n[test() for name, test in list(globals().items()) if name.startswith("test_")]\n`
      const env = { ...process.env, FAKE_URL: scenery.server.url }
      const { code, stderr } = await startProgram("python3", ["-c", call], { env }).ended
      assert.strictEqual(code, 0, stderr + source)
    }
    const sent = scenery.fake.environments().slice(1)
    assert.deepStrictEqual(
      sent.map(({ journal }) => journal.entries().map(({ outcome }) => outcome)),
      scenery.fake.journal.entries().map(({ outcome }) => [outcome])
    )
  })

  it.skipIf(process.platform === "win32")("gets the same outcome from a shell", async () => {
    await using scenery = await scene()
    for (const { outcome, source } of sourcesOf(scenery, "curl")) {
      const env = { ...process.env, FAKE_URL: scenery.server.url }
      const { stdout } = await startProgram("sh", ["-c", source], { env }).ended
      assert.match(stdout, "status" in outcome ? new RegExp(`^HTTP/1.1 ${outcome.status} `, "u") : /^$/u, source)
    }
  })
})
