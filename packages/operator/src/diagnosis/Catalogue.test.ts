import { assert, describe, it } from "@effect/vitest"
import { detailRows, rowOf } from "./Catalogue.ts"
import { failureRules } from "./FailureRules.ts"
import { stateRules } from "./StateRules.ts"

const causesOf = (causes: ReadonlyArray<string> | "raw" | undefined): ReadonlyArray<string> =>
  causes === undefined || causes === "raw" ? [] : causes

describe("the catalogue", () => {
  it.each(detailRows)("has a cause for: $text", ({ causes, kind }) => {
    const rules = {
      cause: failureRules,
      summary: failureRules,
      skipped: stateRules,
      waiting: stateRules,
      progress: [...failureRules, ...stateRules]
    }
    const known: ReadonlySet<string> = new Set(rules[kind].map(({ id }) => id))
    assert.deepStrictEqual(
      causesOf(causes).filter((id) => !known.has(id)),
      []
    )
    if (kind !== "progress") assert.isTrue(causes === "raw" || causesOf(causes).length > 0)
  })

  it("has each wording once", () => {
    const wordings = detailRows.map(({ text }) => text.toLowerCase())
    assert.lengthOf(new Set(wordings), wordings.length)
  })

  it("has a rule for each cause, and a row or a pattern for each rule", () => {
    const named = new Set(detailRows.flatMap(({ causes }) => causesOf(causes)))
    const unreachable = [...failureRules, ...stateRules].filter(
      ({ id, matches }) => matches === undefined && !named.has(id)
    )
    assert.deepStrictEqual(
      unreachable.map(({ id }) => id),
      []
    )
  })

  it.each<readonly [string, string | undefined]>([
    ["Layout not found ", "Layout not found"],
    ["step  QUEUED", "Step queued"],
    ["Acme Mail provider was selected", "{provider} provider was selected"],
    [" provider was selected", undefined],
    ["Acme's provider limit has been reached", "{vendor}'s provider limit has been reached"],
    ["'s provider limit has been reached", undefined],
    ["Step queued again", undefined],
    ["", undefined],
    [`${"x".repeat(300)} provider was selected`, undefined]
  ])("reads %j as %j", (detail, text) => {
    assert.strictEqual(rowOf(detail)?.text, text)
  })
})
