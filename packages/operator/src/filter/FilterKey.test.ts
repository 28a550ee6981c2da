import { assert, describe, it } from "@effect/vitest"
import { only, parse } from "./Filter.ts"
import { filterKeyNames, filterKeys, isFilterKey } from "./FilterKey.ts"

/** The allowed forms of each key: one value or several, negated or not. */
const forms: ReadonlyArray<readonly [string, string]> = [
  ["status", "several, negatable"],
  ["cause", "several, negatable"],
  ["after", "one"],
  ["before", "one"],
  ["channel", "several, negatable"],
  ["subscriber", "several, negatable"],
  ["workflow", "several, negatable"],
  ["severity", "several, negatable"],
  ["email", "several, negatable"],
  ["transaction", "one, negatable"],
  ["topic", "one, negatable"],
  ["subscription", "one"],
  ["context", "several, negatable"],
  ["template", "several, negatable"],
  ["text", "several, negatable"],
  ["search", "one"],
  ["limit", "one"],
  ["page", "one"]
]

const example: Readonly<Record<string, readonly [string, string]>> = {
  status: ["ok", "failed"],
  after: ["1h", "2h"],
  before: ["1h", "2h"],
  cause: ["phone-missing", "webhook-refused"],
  channel: ["email", "push"],
  severity: ["high", "low"],
  limit: ["5", "6"],
  page: ["0", "1"]
}

const isRead = (text: string): boolean => parse(text)._tag === "Parsed"

describe("the keys of a filter", () => {
  it("are offered in this order, with a description each", () => {
    assert.deepStrictEqual(
      filterKeyNames,
      forms.map(([key]) => key)
    )
    for (const { description } of Object.values(filterKeys)) assert.match(description, /^\w.{10,}[^.]$/u)
  })

  it.each(forms)("%s takes %s", (key, form) => {
    const [first, second] = example[key] ?? ["one", "two"]
    assert.isTrue(isRead(`${key}:${first}`))
    assert.strictEqual(isRead(`${key}:${first},${second}`), form.startsWith("several"))
    assert.strictEqual(isRead(`-${key}:${first}`), form.endsWith("negatable"))
  })

  it.each([
    ["status:fail", "failed"],
    ["status:failure", "failed"],
    ["status:ERROR", "failed"],
    ["status:success", "ok"],
    ["status:warn", "warning"],
    ["channel:in-app", "in_app"],
    ["channel:InApp", "in_app"],
    ["channel:inbox", "in_app"],
    ["channel:mail", "email"],
    ["severity:med", "medium"],
    ["severity:none", "none"],
    ["limit:50", "50"],
    ["limit:1", "1"],
    ["page:0", "0"]
  ])("%s means %s", (text, value) => {
    const parsed = parse(text)
    assert(parsed._tag === "Parsed")
    assert.deepStrictEqual(parsed.filter.clauses[0]?.values, [value])
  })

  it("are words of the list alone", () => {
    assert.isTrue(isFilterKey("status"))
    for (const word of ["toString", "constructor", "Status", ""]) assert.isFalse(isFilterKey(word))
    for (const text of ["limit:0", "limit:51", "page:-1", "severity:extreme"]) assert.isFalse(isRead(text))
  })

  it("can ask for one subscriber or one transaction", () => {
    assert.deepStrictEqual(only("subscriber", "u_1"), {
      clauses: [{ key: "subscriber", negated: false, values: ["u_1"] }]
    })
  })
})
