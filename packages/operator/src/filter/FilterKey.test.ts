import { assert, describe, it } from "@effect/vitest"
import { severities } from "@signalbox/core/internal/contract/KnownValues"
import { operations, type Parameter } from "@signalbox/core/Operations"
import { only, parse, toQuery } from "./Filter.ts"
import { filterKeys, isFilterKey, type KeyRule, notOffered } from "./FilterKey.ts"

const isRead = (text: string): boolean => parse(text)._tag === "Parsed"

const examples: Readonly<Record<KeyRule["form"], readonly [string, string]>> = {
  text: ["one", "two"],
  time: ["1h", "2h"],
  name: ["", ""]
}

const offered = Object.values(filterKeys).flatMap(({ parameter }) => parameter ?? [])

describe("the keys of a filter", () => {
  it("offer each filter of the API once, or give a reason", () => {
    assert.sameMembers(
      [...offered, ...Object.keys(notOffered)],
      Object.keys(operations["events.list"].parameters.query)
    )
  })

  it("have a description each, a phrase", () => {
    for (const { description } of Object.values(filterKeys)) assert.match(description, /^[a-z].{8,}[^.]$/u)
  })

  it("have values and remarks of the API", () => {
    assert.deepStrictEqual(filterKeys.severity.names, severities)
    assert.match(filterKeys.search.description, /deprecated/u)
    assert.match(filterKeys.subscription.description, /newer than the API document/u)
  })

  it.each(Object.entries(filterKeys))(
    "%s takes the values of its rule",
    (name, { form, hasField, names, several, test }) => {
      const key = hasField === true ? `${name}.field` : name
      const [first, second] = names ?? examples[form]
      assert.isTrue(isRead(`${key}:${first}`))
      assert.strictEqual(isRead(`${key}:${first},${second}`), several)
      assert.strictEqual(isRead(`-${key}:${first}`), test !== undefined)
    }
  )

  it("sends one value or several as the API has them", () => {
    for (const [name, parameter] of Object.entries<Parameter>(operations["events.list"].parameters.query)) {
      const [key, rule] = Object.entries(filterKeys).find(([, rule]) => rule.parameter === name) ?? []
      if (rule === undefined) continue
      const parsed = parse(`${key}:${(rule.names ?? examples[rule.form])[0]}`)
      assert(parsed._tag === "Parsed")
      const value = Object.entries(toQuery(parsed.filter, 0)).find(([sent]) => sent === name)?.[1]
      const isList = parameter.kind === "strings" || parameter.kind === "one-or-several"
      assert.strictEqual(Array.isArray(value), isList, name)
    }
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
    ["severity:none", "none"]
  ])("%s means %s", (text, value) => {
    const parsed = parse(text)
    assert(parsed._tag === "Parsed")
    assert.deepStrictEqual(parsed.filter.clauses[0]?.values, [value])
  })

  it("are words of the list alone", () => {
    assert.isTrue(isFilterKey("status"))
    for (const word of ["toString", "constructor", "Status", ""]) assert.isFalse(isFilterKey(word))
    assert.isFalse(isRead("severity:extreme"))
  })

  it("can ask for one subscriber or one transaction", () => {
    assert.deepStrictEqual(only("subscriber", "u_1"), {
      clauses: [{ key: "subscriber", negated: false, values: ["u_1"] }]
    })
  })
})
