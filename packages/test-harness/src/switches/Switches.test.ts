import { assert, describe, expect, it } from "@effect/vitest"
import { switchPage } from "../../test/SwitchPage.ts"
import * as Switches from "./Switches.ts"

describe("Switches", () => {
  it("every row has distinct values, and each preset uses one of them", () => {
    for (const name of Switches.switchNames) {
      const row = Switches.switchRow(name)
      assert.strictEqual(new Set(row.values).size, row.values.length, name)
      for (const value of [row.document, row.observed, row.adversarial]) assert.include(row.values, value, name)
      assert.isAbove(row.sentence.length, 10, name)
      assert.isAbove(row.question.length, 10, name)
    }
  })

  it("the same seed gives the same values, and every value is drawn by some seed", () => {
    assert.deepStrictEqual(Switches.seeded(7), Switches.seeded(7))
    const drawn = Array.from({ length: 400 }, (_, seed) => Switches.seeded(seed))
    for (const name of Switches.switchNames) {
      const values = new Set(drawn.map((switches) => switches[name]))
      assert.strictEqual(values.size, Switches.switchRow(name).values.length, name)
    }
  })

  it("presets are found by name", () => {
    assert.strictEqual(Switches.preset("document"), Switches.document)
    assert.strictEqual(Switches.preset("observed"), Switches.observed)
    assert.strictEqual(Switches.preset("adversarial"), Switches.adversarial)
    assert.deepStrictEqual(Switches.preset("seeded(12)"), Switches.seeded(12))
    assert.isTrue(["document", "seeded(12)"].every(Switches.isPreset))
    const names = ["seeded()", "seeded(1.5)", "seeded(1) twice", "not seeded(1)", "strict", "toString"]
    assert.isFalse(names.some(Switches.isPreset))
  })

  it("reports unknown switches and values, and names the allowed values", () => {
    assert.deepStrictEqual(Switches.issues({ envelope: "data" }), [])
    assert.deepStrictEqual(Switches.issues({ envelope: "boxed", "list.badLimit": 400, toString: "x" }), [
      { path: ["envelope"], issue: 'must be one of bare, data, not "boxed"' },
      { path: ["list.badLimit"], issue: 'must be the string "400"' },
      {
        path: ["toString"],
        issue:
          "unknown switch; expected a name in one of: auth, route, request, idempotency, rateLimit, error, credentials, mark, subscriber, list, envelope, time, message, event, job, detail, step, enum, response"
      }
    ])
  })

  it("the page in docs matches the table (update it with vitest run -u)", async () => {
    await expect(switchPage()).toMatchFileSnapshot("../../../../docs/fake-switches.md")
  })
})
