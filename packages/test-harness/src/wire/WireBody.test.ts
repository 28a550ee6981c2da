import { assert, describe, it } from "@effect/vitest"
import { bodyOf, bytesOf, joinedBody, sharedBody } from "./WireBody.ts"

describe("the body of a page", () => {
  it("has the text and the bytes of its parts, and encodes each shared part once", () => {
    const record = sharedBody('"ö €"')
    const page = () => joinedBody([bodyOf("["), record, bodyOf("]")])
    assert.strictEqual(page().text(), '["ö €"]')
    assert.strictEqual(page().length, page().text().length)
    assert.strictEqual(new TextDecoder().decode(bytesOf(page())), page().text())
    assert.strictEqual(bytesOf(page()).length, 10)
    assert.strictEqual(record.bytes(), record.bytes())
  })

  it("is empty for a response without a body", () => {
    assert.strictEqual(bytesOf(undefined).length, 0)
  })
})
