import { assert, describe, it } from "@effect/vitest"
import { createFake, manualClock } from "../index.ts"
import type { StepRecord } from "../state/Records.ts"

/** An in-app step with these conditions. */
const stepWith = (...filters: StepRecord["filters"]) => ({ type: "in_app" as const, content: "sent", filters })

const condition = (operator: string, value: string, field = "n", on = "payload") => ({ on, field, operator, value })

const group = (value: string, isNegated: boolean, ...children: ReadonlyArray<ReturnType<typeof condition>>) => ({
  type: "GROUP",
  value,
  isNegated,
  children
})

/** The content of the message of a step; `undefined` if its conditions are not met. */
const contentOf = (step: ReturnType<typeof stepWith>, payload: Record<string, unknown>): string | undefined => {
  const clock = manualClock()
  const fake = createFake({ data: "empty", clock })
  fake.addSubscriber({ subscriberId: "ana", firstName: "Ana", data: { tier: "gold" } })
  fake.addWorkflow({ identifier: "flow", steps: [step] })
  fake.trigger({ workflow: "flow", to: "ana", payload: payload as {} })
  clock.advance(60_000)
  const content = fake.state().messages[0]?.content
  return content === undefined ? undefined : String(content)
}

describe("a condition", () => {
  it.each<readonly [operator: string, value: string, met: ReadonlyArray<unknown>, notMet: ReadonlyArray<unknown>]>([
    ["EQUAL", "5", ["5", 5], ["6", 50, undefined, null]],
    ["NOT_EQUAL", "5", ["6", 50, undefined], ["5", 5]],
    ["LARGER", "5", [6, "10"], [5, 4, "x"]],
    ["LARGER_EQUAL", "5", [6, 5], [4, "x"]],
    ["SMALLER", "5", [4, "-1"], [5, 6, "x"]],
    ["SMALLER_EQUAL", "5", [4, 5], [6, "x"]],
    ["LIKE", "old", ["gold", "old"], ["tin", undefined]],
    ["NOT_LIKE", "old", ["tin", undefined], ["gold"]],
    ["IN", "a,b", ["a", "b"], ["c", "a,b", undefined]],
    ["ANY_IN", "a,b", ["a", "b"], ["c", "a,b"]],
    ["NOT_IN", "a,b", ["c", "a,b"], ["a", "b"]]
  ])("%s %s", (operator, value, met, notMet) => {
    const step = stepWith(group("AND", false, condition(operator, value)))
    const isMet = (n: unknown) => contentOf(step, n === undefined ? {} : { n }) !== undefined
    assert.deepStrictEqual(
      met.map(isMet),
      met.map(() => true)
    )
    assert.deepStrictEqual(
      notMet.map(isMet),
      notMet.map(() => false)
    )
  })

  it("reads nested fields of the payload and the subscriber, and objects as JSON", () => {
    const isMet = (...filters: StepRecord["filters"]) =>
      contentOf(stepWith(...filters), { a: { b: [1] } }) !== undefined
    const and = (...children: ReadonlyArray<ReturnType<typeof condition>>) => group("AND", false, ...children)
    assert.isTrue(isMet(and(condition("EQUAL", "[1]", "a.b"))))
    assert.isTrue(isMet(and(condition("EQUAL", "", "a.c"), condition("EQUAL", "", "a.b.length.x"))))
    assert.isTrue(isMet(and(condition("EQUAL", "gold", "data.tier", "subscriber"))))
    assert.isFalse(isMet(and(condition("EQUAL", "gold", "data.tier", "payload"))))
    assert.isTrue(isMet(and(condition("EQUAL", "", "toString"))))
    const ofNull = stepWith(and(condition("EQUAL", "", "a.b"), condition("EQUAL", "", "n.length")))
    assert.isDefined(contentOf(ofNull, { a: null, n: "text" }))
  })

  it("counts in its group: all of AND, any of OR, neither when negated; every group counts", () => {
    const yes = condition("EQUAL", "1")
    const no = condition("EQUAL", "2")
    const isMet = (...filters: StepRecord["filters"]) => contentOf(stepWith(...filters), { n: 1 }) !== undefined
    const cases: ReadonlyArray<readonly [boolean, ...StepRecord["filters"]]> = [
      [true, group("AND", false, yes, yes)],
      [false, group("AND", false, yes, no)],
      [true, group("OR", false, yes, no)],
      [false, group("OR", false, no, no)],
      [true, group("OR", false)],
      [true, group("AND", false)],
      [false, group("AND", true, yes)],
      [true, group("OR", true, no)],
      [false, group("AND", false, yes), group("AND", false, no)],
      [true, group("AND", false, yes), group("OR", false, yes, no)]
    ]
    for (const [met, ...filters] of cases) assert.strictEqual(isMet(...filters), met, JSON.stringify(filters))
  })
})

describe("the content of a message", () => {
  it("has the variables of the payload and the subscriber; unknown ones are empty", () => {
    const step = {
      ...stepWith(),
      content:
        "{{payload.n}} {{ subscriber.firstName }} {{payload.a.b}} {{payload.a}}<{{payload.none}}><{{payload.nil}}> {{other.n}}"
    }
    assert.strictEqual(contentOf(step, { n: 0, a: { b: true }, nil: null }), '0 Ana true {"b":true}<><> {{other.n}}')
  })
})
