import { assert, describe, it } from "@effect/vitest"
import { createFake } from "../index.ts"

describe("a request for a page that the client has", () => {
  const fake = createFake({ preset: "observed" })
  const send = (tag: string | undefined, method = "GET") =>
    fake.fetch(`${fake.baseUrl}/v1/notifications?limit=1`, {
      method,
      headers: { authorization: `ApiKey ${fake.apiKey}`, ...(tag === undefined ? {} : { "if-none-match": tag }) }
    })

  it("gets 304 without a body for its tag, whatever else the client has", async () => {
    const tag = (await send(undefined)).headers.get("etag") ?? ""
    assert.match(tag, /^W\/"/u)
    const strong = tag.replace("W/", "")
    for (const known of [tag, strong, `"other", ${tag}`, `"other" , ${strong}`, "*"]) {
      const response = await send(known)
      assert.deepStrictEqual([response.status, await response.text()], [304, ""], known)
      assert.strictEqual(response.headers.get("etag"), tag)
      assert.isNull(response.headers.get("content-type"))
    }
  })

  it("gets the page for other tags", async () => {
    for (const known of ['"other"', 'W/"other", "another"', ""]) {
      const response = await send(known)
      assert.strictEqual(response.status, 200, known)
      assert.notStrictEqual(await response.text(), "")
    }
  })
})
