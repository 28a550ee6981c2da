import { assert, describe, it } from "@effect/vitest"
import { type ErrorBody, issueLine, readErrorBody, shortened } from "./ErrorBody.ts"

const secret = "a-secret-of-the-tests"

/** The outcome of reading a body, without the body itself. */
const readingOf = (content: unknown): Omit<ErrorBody, "body"> => {
  const { body, ...rest } = readErrorBody(typeof content === "string" ? content : JSON.stringify(content), [secret])
  assert.isString(body)
  return rest
}

describe("the body of a failure", () => {
  const cases: ReadonlyArray<readonly [string, unknown, Omit<ErrorBody, "body">]> = [
    ["a message", { message: "No such key" }, { detail: "No such key" }],
    ["several messages in one", { message: ["First", " ", 7, "Second"] }, { detail: "First; Second" }],
    ["a blank message before a title", { message: "  ", title: "Wrong" }, { detail: "Wrong" }],
    ["a list without messages before a title", { message: [" ", 7], title: "Wrong" }, { detail: "Wrong" }],
    ["an error inside of an error", { error: { message: "Inner" }, message: "Outer" }, { detail: "Inner" }],
    ["an error that is a string", { error: "Wrong" }, { detail: "Wrong" }],
    ["an error in the envelope of a success", { data: { error: "Wrong" } }, { detail: "Wrong" }],
    ["an error inside of an error there", { data: { error: { message: "Inner" } } }, { detail: "Inner" }],
    ["a message next to data", { message: "Wrong", data: { message: "Other" } }, { detail: "Wrong" }],
    ["a message next to an error without one", { error: { code: 7 }, message: "Wrong" }, { detail: "Wrong" }],
    ["nothing that is known", { code: 7 }, {}],
    ["a string", JSON.stringify("Wrong"), { detail: "Wrong" }],
    ["an array of strings", ["One", "Two"], { detail: "One; Two" }],
    ["a number", "7", {}],
    ["no JSON", "Service down", {}],
    [
      "errors by field",
      { errors: { general: { messages: ["All"] }, limit: { messages: ["Too large", "Odd"], value: 99 }, page: "No" } },
      {
        fields: [
          { path: "", rule: "All" },
          { path: "limit", rule: "Too large; Odd" },
          { path: "page", rule: "No" }
        ]
      }
    ],
    ["errors by field that say nothing", { errors: { limit: {}, page: 7 } }, {}],
    ["errors that are no list and no record", { errors: "No" }, {}],
    [
      "a list of errors",
      { errors: ["Plain", { field: "limit", detail: "Too large" }, { message: "Alone" }, { field: "page" }, 7, null] },
      {
        fields: [
          { path: "", rule: "Plain" },
          { path: "limit", rule: "Too large" },
          { path: "", rule: "Alone" }
        ]
      }
    ],
    [
      "the invalid parameters of a problem document",
      { title: "Wrong", "invalid-params": [{ name: "limit", reason: "Too large" }] },
      { detail: "Wrong", fields: [{ path: "limit", rule: "Too large" }] }
    ],
    ...["message", "detail", "title", "error", "error_description", "description"].map(
      (key) => [`a string at ${key}`, { code: 7, [key]: "Wrong" }, { detail: "Wrong" }] as const
    ),
    ["several strings, the first that describes it", { description: "b", detail: "a" }, { detail: "a" }],
    ...["message", "messages", "detail", "reason", "title"].map(
      (key) =>
        [
          `a list of issues with their ${key}`,
          { errors: [{ path: "limit", [key]: "Too large" }] },
          { fields: [{ path: "limit", rule: "Too large" }] }
        ] as const
    ),
    ...["path", "field", "property", "pointer", "name"].map(
      (key) =>
        [
          `a list of issues at their ${key}`,
          { errors: [{ [key]: "limit", message: "Too large" }] },
          { fields: [{ path: "limit", rule: "Too large" }] }
        ] as const
    ),
    [
      "a record of errors with one message each",
      { errors: { limit: { message: "Too large" }, page: ["No", "Nor this"], other: [], general: "All" } },
      {
        fields: [
          { path: "limit", rule: "Too large" },
          { path: "page", rule: "No; Nor this" },
          { path: "", rule: "All" }
        ]
      }
    ],
    [
      "a record of errors inside of an error",
      { error: { message: "Inner", errors: { limit: "Too large" } }, errors: { page: "No" } },
      { detail: "Inner", fields: [{ path: "limit", rule: "Too large" }] }
    ],
    ["a blank string", '"  "', {}],
    ["an error that is null", { error: null, title: "Wrong" }, { detail: "Wrong" }],
    ["a page in capitals", "<HTML lang=en><TITLE lang=en>Down</TITLE>", { detail: "HTML page: Down" }],
    ["a page with a blank title", "<head><title> </title>", { detail: "HTML page" }],
    ["a body alone", "\n<body>Down", { detail: "HTML page" }],
    ["markup that is no page", "<p>Down</p>", {}],
    ["text before a page", "see <html>", {}],
    ["a page", "<html><head><title> Bad\n Gateway </title></head></html>", { detail: "HTML page: Bad Gateway" }],
    ["a page without a title", " <!DOCTYPE html><body>Down</body>", { detail: "HTML page" }]
  ]
  for (const [name, content, expected] of cases) {
    it(`is read where it is ${name}`, () => {
      assert.deepStrictEqual(readingOf(content), expected)
    })
  }
  it("shows an issue by its path, where it has one", () => {
    assert.strictEqual(issueLine({ path: "limit", rule: "Too large" }), "limit: Too large")
    assert.strictEqual(issueLine({ path: "", rule: "Too large" }), "Too large")
  })
  it("that is empty has no detail", () => {
    assert.deepStrictEqual(readErrorBody("", []), {})
    assert.deepStrictEqual(readErrorBody(" \n", []), {})
  })
  it("is kept whole up to 2048 characters, and cut behind them", () => {
    assert.strictEqual(readErrorBody("x".repeat(2048), []).body, "x".repeat(2048))
    assert.strictEqual(readErrorBody("x".repeat(2049), []).body, `${"x".repeat(2048)}…`)
  })
  it.each([
    ["letters", "x".repeat(8_000_000)],
    ["a message", JSON.stringify({ message: `${secret} ${"x".repeat(8_000_000)}` })],
    ["errors by field", JSON.stringify({ errors: { ["x".repeat(8_000_000)]: { messages: ["x".repeat(8_000_000)] } } })],
    ["a page with an endless tag", `<html><title${"x".repeat(8_000_000)}`],
    ["secrets", secret.repeat(400_000)]
  ])("is at most 2 KB where it is 8 MB of %s, more than regular expressions can search", (_, text) => {
    const { body = "", ...rest } = readErrorBody(text, [secret])
    assert.isTrue(body.length > 100 && body.length <= 2049, String(body.length))
    assert.notInclude(body, secret)
    assert.isBelow(JSON.stringify(rest).length, 1000)
  })
  it("is one short line where it is a detail", () => {
    assert.strictEqual(readingOf({ message: ` a\n\tb ${"x".repeat(296)}` }).detail, `a b ${"x".repeat(296)}`)
    assert.strictEqual(readingOf({ message: "x".repeat(300) }).detail, "x".repeat(300))
    assert.strictEqual(readingOf({ message: "x".repeat(301) }).detail, `${"x".repeat(299)}…`)
    const rule = `${"x".repeat(200)} ${"y".repeat(200)}`
    assert.deepStrictEqual(readingOf({ errors: { limit: rule } }).fields, [
      { path: "limit", rule: `${"x".repeat(200)}…` }
    ])
  })
  it("is cut behind a whole word, unless that is most of the line", () => {
    assert.strictEqual(shortened("one two three", 13), "one two three")
    assert.strictEqual(shortened("one two three", 12), "one two…")
    assert.strictEqual(shortened("one two three", 8), "one two…")
    assert.strictEqual(shortened("one two three", 7), "one tw…")
    assert.strictEqual(shortened("ab cdefghij", 6), "ab cd…")
    assert.strictEqual(shortened("abc defghij", 6), "abc d…")
    assert.strictEqual(shortened("abcd efghij", 6), "abcd…")
    assert.strictEqual(shortened("  \n\ta  b ", 3), "a b")
  })
  it("has at most 50 issues", () => {
    const errors = Array.from({ length: 51 }, (_, at) => ({ path: `p${at}`, message: "No" }))
    assert.strictEqual(readingOf({ errors }).fields?.length, 50)
  })
  for (const [name, content] of [
    ["a detail", { message: `no ${secret}` }],
    ["a path and a rule", { errors: [{ path: `at ${secret}`, message: `no ${secret}` }] }],
    ["a string", `no ${secret}`],
    ["a JSON text", JSON.stringify(`no ${secret}`)],
    ["a JSON text that hides it", `"no \\u0061${secret.slice(1)}"`],
    ["a detail that hides it", `{ "message": "no \\u0061${secret.slice(1)}" }`],
    ["a title", `<html><title>${secret}</title></html>`],
    ["the edge of the cut", "x".repeat(2040) + secret]
  ] as const) {
    it(`has no secret of the request in ${name}`, () => {
      const read = readErrorBody(typeof content === "string" ? content : JSON.stringify(content), [secret])
      assert.notInclude(JSON.stringify({ detail: read.detail, fields: read.fields }), secret)
      if (!name.endsWith("hides it")) assert.notInclude(read.body ?? "", secret.slice(0, 6))
    })
  }
})
