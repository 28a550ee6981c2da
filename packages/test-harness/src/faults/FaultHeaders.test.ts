import { assert, describe, it } from "@effect/vitest"
import * as Fault from "./Fault.ts"

const messageOf = (build: () => unknown): string => {
  try {
    build()
  } catch (error) {
    assert.instanceOf(error, RangeError)
    return (error as RangeError).message
  }
  return assert.fail("it was built")
}

const valueRule = "must be printable Latin-1 characters, without blanks at the ends"

describe("headers of faults", () => {
  it.each([
    ["x-a", "a\nb", valueRule],
    ["x-a", "a\r\nset-cookie: b", valueRule],
    ["x-a", "\u0000", valueRule],
    ["x-a", "\u007f", valueRule],
    ["x-a", "\u20ac", valueRule],
    ["x-a", " a", valueRule],
    ["x-a", "a\t", valueRule],
    ["x a", "b", "is no name of a header"],
    ["", "b", "is no name of a header"],
    ["x:", "b", "is no name of a header"],
    ["x\n", "b", "is no name of a header"],
    ["\u017f", "b", "is no name of a header"],
    ["Content-Length", "5", "is written by the fake, which knows how the body is sent"],
    ["transfer-encoding", "chunked", "is written by the fake, which knows how the body is sent"],
    ["content-encoding", "gzip", "is written by the fake, which knows how the body is sent"]
  ])("refuses %j: %j", (name, value, rule) => {
    const message = `fault.form.headers.${name}: ${rule}`
    assert.strictEqual(
      messageOf(() => Fault.status(503, { headers: { [name]: value } })),
      message
    )
    const form = { _tag: "Status", status: 503, headers: { [name]: value } }
    assert.strictEqual(
      messageOf(() => Fault.fromJson({ form })),
      message
    )
  })

  it("takes every other, also an empty one", () => {
    const headers = { "retry-after": "1", "x-empty": "", "x.!#$%&'*+-^_`|~9": "a\tb \u00e9!", Connection: "close" }
    assert.deepStrictEqual(Fault.fromJson(JSON.parse(JSON.stringify(Fault.status(503, { headers })))), {
      form: { _tag: "Status", status: 503, headers },
      point: "received"
    })
  })

  it("holds a content type to the same rule", () => {
    assert.strictEqual(
      messageOf(() => Fault.contentType("text/html\r\n\r\n<script>")),
      `fault.form.contentType: ${valueRule}`
    )
    assert.throws(() => Fault.contentType(""), /^fault\.form\.contentType: must be text that is not empty$/u)
    assert.throws(() => Fault.contentType(" "), /^fault\.form\.contentType: /u)
  })
})
