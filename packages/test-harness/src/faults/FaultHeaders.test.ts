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
    ["x a", "b", "is not a valid header name"],
    ["", "b", "is not a valid header name"],
    ["x:", "b", "is not a valid header name"],
    ["x\n", "b", "is not a valid header name"],
    ["\u017f", "b", "is not a valid header name"],
    ["Content-Length", "5", "cannot be set: the fake sends it"],
    ["transfer-encoding", "chunked", "cannot be set: the fake sends it"],
    ["content-encoding", "gzip", "cannot be set: the fake sends it"]
  ])("refuses %j: %j", (name, value, rule) => {
    const not = rule === valueRule ? `, not ${JSON.stringify(value)}` : ""
    const shown = name.includes("\n") ? JSON.stringify(name) : name
    const message = `fault.form.headers${name === "" ? "" : `.${shown}`}: ${rule}${not}`
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

  it("accepts any other value, including an empty one", () => {
    const headers = { "retry-after": "1", "x-empty": "", "x.!#$%&'*+-^_`|~9": "a\tb \u00e9!", Connection: "close" }
    assert.deepStrictEqual(Fault.fromJson(JSON.parse(JSON.stringify(Fault.status(503, { headers })))), {
      form: { _tag: "Status", status: 503, headers },
      point: "received"
    })
  })

  it("applies the same rule to a content type", () => {
    assert.strictEqual(
      messageOf(() => Fault.contentType("text/html\r\n\r\n<script>")),
      `fault.form.contentType: ${valueRule}, not "text/html\\r\\n\\r\\n<script>"`
    )
    assert.throws(() => Fault.contentType(""), /^fault\.form\.contentType: must be a non-empty string, not ""$/u)
    assert.throws(() => Fault.contentType(" "), /^fault\.form\.contentType: /u)
  })
})
