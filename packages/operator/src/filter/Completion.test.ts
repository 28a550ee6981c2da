import { assert, describe, it } from "@effect/vitest"
import { severities } from "@signalbox/core/internal/contract/KnownValues"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { complete, type KnownValues } from "./Completion.ts"
import { parse } from "./Filter.ts"
import { filterKeyNames } from "./FilterKey.ts"

const candidates = (text: string, known?: KnownValues) =>
  complete(text, text.length, known).candidates.map((candidate) => candidate.text)

describe("complete", () => {
  it("offers all keys at the start, those that can be turned round after a minus", () => {
    assert.deepStrictEqual(
      candidates(""),
      filterKeyNames.map((name) => (name === "payload" ? "payload." : `${name}:`))
    )
    assert.notInclude(candidates("status:ok -"), "after:")
    assert.include(candidates("status:ok -"), "status:")
  })

  it("puts keys that begin with the typed before those that contain it", () => {
    assert.deepStrictEqual(candidates("se"), ["severity:", "search:", "cause:"])
    assert.deepStrictEqual(candidates("at"), ["status:", "template:"])
    assert.deepStrictEqual(candidates("after:1h STA"), ["status:"])
  })

  it("offers the values of a key, without those that are taken", () => {
    assert.deepStrictEqual(candidates("status:fa"), ["failed"])
    const [first = "", ...others] = severities
    assert.deepStrictEqual(candidates(`severity:${first},`), others)
    assert.deepStrictEqual(candidates(`-severity:${first}`), [first])
    assert.deepStrictEqual(candidates("after:"), ["15m", "1h", "24h", "7d"])
    assert.deepStrictEqual(candidates("subscriber:"), [])
    assert.deepStrictEqual(candidates("nonsense:"), [])
  })

  it("offers what is known, in quotes where needed", () => {
    const known = { subscriber: ["u_1", "ana ruiz"] }
    assert.deepStrictEqual(candidates("subscriber:", known), ["u_1", '"ana ruiz"'])
    assert.deepStrictEqual(candidates('subscriber:"ana', known), ['"ana ruiz"'])
  })

  it("replaces the word at the cursor", () => {
    assert.deepInclude(complete("after:24h sta status:ok", 13), { from: 10, to: 13 })
    assert.deepInclude(complete("status:ok,fa", 12), { from: 10, to: 12 })
  })

  it.effect.prop("every offered value completes to a filter that reads", [Schema.Literals(filterKeyNames)], ([key]) =>
    Effect.sync(() => {
      for (const value of candidates(`${key}:`)) assert.strictEqual(parse(`${key}:${value}`)._tag, "Parsed")
    })
  )
})
