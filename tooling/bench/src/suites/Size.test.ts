import { assert, describe, it } from "@effect/vitest"
import { outcomesOf } from "../Budget.ts"
import { budgets } from "../Budgets.ts"
import { size } from "./Size.ts"

describe("size", () => {
  it("is within its budgets", async () => {
    assert.deepStrictEqual(
      outcomesOf(budgets, [{ suite: "size", ...(await size()) }]).filter(({ isKept }) => !isKept),
      []
    )
  })

  it("of a list call through the SDK stays below two thirds of the peer that reads the same listing", async () => {
    const { rows } = await size()
    const bytes = (id: string) => rows.find((row) => row.id === id)?.value ?? Number.NaN
    assert.isBelow(bytes("size/sdk-list"), bytes("size/novu-function") * 0.66)
  })
})
