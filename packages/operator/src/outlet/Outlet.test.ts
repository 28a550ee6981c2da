import { assert, describe, it } from "@effect/vitest"
import * as Redacted from "effect/Redacted"
import { protectKey } from "../connections/OwnKeys.ts"
import { cleanLine, outlet } from "./Outlet.ts"

protectKey(Redacted.make("own-key-4711"))
protectKey(Redacted.make("wrong"))

const tag = String.fromCodePoint(0xe0049)
const hostile = `a\u001B[2J\u009B\u202E\u200B${tag}z`

describe("an outlet", () => {
  it("names control characters for a terminal, and keeps the lines and the colours of tables", () => {
    assert.strictEqual(
      outlet("terminal").text(`\u001B[31mred\u001B[0m\r\n${hostile}\n\u001B[8mhidden`),
      "\u001B[31mred\u001B[0m\r\na^[[2J<U+009B><U+202E><U+200B><U+E0049>z\n^[[8mhidden"
    )
  })
  it("escapes control characters in JSON, which reads the same", () => {
    const text = outlet("records").lines([{ hostile }, { hostile }])
    assert.match(text, /^[\n -~]+$/u)
    assert.deepStrictEqual(
      text
        .trimEnd()
        .split("\n")
        .map((one) => JSON.parse(one)),
      [{ hostile }, { hostile }]
    )
  })
  it("removes control characters from what a model reads, also where JSON escapes them", () => {
    assert.deepStrictEqual(JSON.parse(outlet("mcp").json({ [hostile]: hostile })), { "a[2Jz": "a[2Jz" })
    assert.strictEqual(outlet("mcp").text(hostile), "a[2Jz")
  })
  it("removes secrets that control characters hid, as what a model reads has none", () => {
    const json = outlet("mcp").json({
      ["to\u200Bken"]: "plain",
      note: `Bear\u00ADer abc.def own-\u202Ekey-4711 ${tag}`
    })
    assert.deepStrictEqual(JSON.parse(json), { token: "<redacted>", note: "Bearer <redacted> <redacted> " })
    assert.strictEqual(outlet("mcp").text("Bear\u200Ber abc.def, own-\u0000key-4711"), "Bearer <redacted>, <redacted>")
  })
  it("removes keys of the process and what looks like a secret, and a key that is a word from messages only", () => {
    const text = "own-key-4711 is wrong: Bearer abc.def"
    assert.strictEqual(outlet("notes").text(text), "<redacted> is <redacted>: Bearer <redacted>")
    assert.strictEqual(outlet("csv").text(text), "<redacted> is wrong: Bearer <redacted>")
    assert.strictEqual(outlet("mcp").text(text), "<redacted> is wrong: Bearer <redacted>")
    assert.strictEqual(cleanLine(text), "<redacted> is wrong: Bearer <redacted>")
    assert.deepStrictEqual(JSON.parse(outlet("records").json({ text, token: 1 })), {
      text: "<redacted> is wrong: Bearer <redacted>",
      token: "<redacted>"
    })
  })
  it.each([
    ["SendGrid", `SG.${"x".repeat(22)}.${"y-_".repeat(14)}`],
    ["Amazon", `AKIA${"Q7".repeat(8)}`],
    ["Amazon, for a while", `ASIA${"Q7".repeat(8)}`],
    ["GitLab", `glpat-${"a1".repeat(10)}`],
    ["npm", `npm_${"a1".repeat(18)}`],
    ["Slack", `xoxb-123456789012-${"aB3".repeat(8)}`],
    ["a Slack app", `xapp-1-${"aB3".repeat(8)}`],
    ["Google", `AIza${"Sy-_D".repeat(7)}`],
    ["Google, for an hour", `ya29.${"a0-_".repeat(12)}`],
    ["Stripe", `sk_live_${"a1".repeat(12)}`],
    ["a certificate", `-----BEGIN PRIVATE KEY-----\\n${"MIIEvQIB+/A=".repeat(6)}\\n-----END PRIVATE KEY-----`],
    ["GitHub", `ghp_${"a1".repeat(18)}`],
    ["a signed token", `eyJ${"a".repeat(20)}.eyJ${"b".repeat(20)}.${"c".repeat(20)}`]
  ])("removes a bare key of %s, also from JSON", (_, key) => {
    for (const exit of ["mcp", "notes", "files", "terminal"] as const) {
      assert.strictEqual(outlet(exit).text(`The key ${key}, is old`), "The key <redacted>, is old")
      assert.strictEqual(outlet(exit).json([`with ${key}`]), '["with <redacted>"]\n')
    }
    assert.strictEqual(cleanLine(`key ${key}`), "key <redacted>")
  })
  it("leaves no part of a secret of a long line that it examines only the start of", () => {
    const secret = `SG.${"x".repeat(22)}.${"y-_".repeat(14)}`
    for (let shift = 0; shift <= secret.length; shift += 1) {
      const line = cleanLine(`${"z".repeat(shift)} ${`${secret} `.repeat(2000)}`)
      assert.match(line, /^z* (?:<redacted> )+(?:<\w*>?)?…$/u)
    }
    assert.match(cleanLine(`${"word ".repeat(20_000)}`), /^(?:word )+…$/u)
  })
  it("removes a secret between whose characters there are some that are not seen", () => {
    const split = ["own-\u200Bkey\u00AD-4711", `xoxb-12345\u2060${"aB3".repeat(8)}`]
    for (const exit of ["notes", "files", "terminal", "csv", "records", "recordings"] as const) {
      for (const key of split) {
        assert.strictEqual(outlet(exit).text(`key ${key}, old`), "key <redacted>, old")
        assert.strictEqual(outlet(exit).json([`key ${key}`]), '["key <redacted>"]\n')
      }
    }
    assert.strictEqual(cleanLine(`key ${split[0]}`), "key <redacted>")
    assert.strictEqual(outlet("files").text("own-key-4711 👩\u200D🔧"), "<redacted> 👩\u200D🔧")
  })
  it("keeps words that look like the start of a key", () => {
    const text = "MSG.1.2 AKIA ghp_ SG.sms.delivery eyJ.eyJ.x xoxo- AIzaward sk_live_ npm_config_cache PRIVATE KEY"
    assert.strictEqual(outlet("mcp").text(text), text)
  })
  it("leaves constants, and keys that a command makes, unchanged", () => {
    assert.strictEqual(outlet("own").text("own-key-4711 \u001B"), "own-key-4711 \u001B")
    assert.strictEqual(outlet("keys").json({ apiKey: "own-key-4711" }), '{"apiKey":"own-key-4711"}\n')
  })
})
