/** The exits of the fake, with one record: its recordings, its journal and its timeline let no secret pass. */
import { assert, describe, it } from "@effect/vitest"
import { canaryError, canaryEvent, canaryKey, escapedFrom, otherSecretsFrom } from "@signalbox/testing/Canary"
import { createFake, Fault, timeline } from "../src/index.ts"
import { recorded } from "../src/recording/Recording.ts"

const path = `/v1/subscribers/ana/credentials?note=${encodeURIComponent(`token=SECRETNAMED-77 ${canaryKey}`)}`
const authorization = `ApiKey ${canaryKey}`

const recording = (response: object): string =>
  JSON.stringify(
    recorded({
      method: "PATCH",
      target: path,
      authorization,
      body: JSON.stringify(canaryEvent),
      status: 200,
      headers: { "x-request-id": `for-${encodeURIComponent(canaryKey)}` },
      response: JSON.stringify(response)
    })
  )

/** A fake that has received the record and responded with it. */
const used = async () => {
  const fake = createFake({ data: "empty" })
  fake.faults.add(Fault.status(400, { body: canaryError }))
  await fake.fetch(fake.baseUrl + path, {
    method: "PATCH",
    headers: {
      authorization: `ApiKey ${fake.apiKey}`,
      "content-type": "application/json"
    },
    body: JSON.stringify({
      providerId: "fcm",
      credentials: { deviceTokens: ["tok-SECRETTOKEN-1"] },
      canaryEvent,
      note: fake.apiKey
    })
  })
  return fake
}

const exits: Readonly<Record<string, () => string>> = {
  "a recording of a record": () => recording(canaryEvent),
  "a recording of an error": () => recording(canaryError)
}

describe("the exits of the fake", () => {
  it.each(Object.entries(exits))("let no secret pass: %s", (_exit, text) => {
    assert.deepStrictEqual(escapedFrom(text(), ["personal", "escapes"]), [])
  })
  it("let no secret pass: the journal, and the timeline that is printed", async () => {
    const fake = await used()
    const journal = JSON.stringify(fake.journal.entries())
    assert.include(journal, "Adacanary")
    for (const left of [journal, timeline(fake)]) {
      assert.include(left, "credentials.upsert")
      assert.notInclude(left, fake.apiKey)
      assert.deepStrictEqual(otherSecretsFrom(left), [])
    }
  })
})
