import { assert, describe, it } from "@effect/vitest"
import { event, initial, page, play, pressed, screen } from "../../../test/Sample.ts"
import { topScreen } from "../../state/ScreenStack.ts"
import type { State } from "../../state/State.ts"
import { plain } from "../../view/Row.ts"
import { render } from "../../app/View.ts"

const sizes = [
  { columns: 60, rows: 15 },
  { columns: 80, rows: 24 },
  { columns: 120, rows: 40 },
  { columns: 200, rows: 60 }
]

const failed = {
  ...event(1, { fails: true, name: "order-shipped" }),
  _subscriberId: "internal-2",
  payload: { order: { id: "A-1", total: 5 }, gone: true }
}
const fine = { ...event(2), payload: { order: { id: "A-2", total: 5 }, added: 1 } }

const opened = (size = { columns: 120, rows: 40 }): State =>
  play(initial(size), page([event(0), failed, fine]), pressed("j", "=")).state

const compared = (state: State) => {
  const top = topScreen(state)
  assert(top._tag === "Compare")
  return top
}

describe("comparing", () => {
  it("puts the event next to the last success of its workflow and subscriber", () => {
    const { left, lines, right } = compared(opened())
    assert.deepStrictEqual([left._id, right._id], [failed._id, fine._id])
    const differing = lines.filter(({ differs }) => differs).map(({ label, left: a, right: b }) => [label, a, b])
    assert.deepInclude(differing, ["result", "FAILED", "ok"])
    assert.deepInclude(differing, ["order.id", '"A-1"', '"A-2"'])
    assert.deepInclude(differing, ["gone", "true", "(absent)"])
    assert.deepInclude(differing, ["added", "(absent)", "1"])
    const labels = differing.map(([label]) => label)
    for (const label of ["order.total", "time", "workflow"]) assert.notInclude(labels, label)
  })
  it("compares each value of a payload, also empty ones, without secrets", () => {
    const payload = { list: [], none: {}, nil: null, order: { ids: [7, { x: "y" }] }, accessToken: "t-5f2d" }
    const { lines } = compared(
      play(initial(), page([event(0), { ...failed, payload }, { ...fine, payload: {} }]), pressed("j", "=")).state
    )
    assert.deepStrictEqual(
      lines.filter(({ right }) => right === "(absent)").map(({ label, left: value }) => `${label}: ${value}`),
      ["list: []", "none: {}", "nil: null", "order.ids[0]: 7", 'order.ids[1].x: "y"', 'accessToken: "<redacted>"']
    )
  })
  it("starts at the first difference, and n and N go round through all of them", () => {
    const state = opened()
    const differences = compared(state).lines.flatMap(({ differs }, at) => (differs ? [at] : []))
    assert.strictEqual(compared(state).cursor.at, differences[0])
    const all = play(state, pressed(...differences.map(() => "n"))).state
    assert.strictEqual(compared(all).cursor.at, differences[0])
    assert.strictEqual(compared(play(state, pressed("N")).state).cursor.at, differences.at(-1))
  })
  it("leaves out equal facts, and shows as many rows of both values as they need", () => {
    const small = opened({ columns: 80, rows: 24 })
    const { lines } = compared(play(small, pressed("d")).state)
    assert.isTrue(lines.every(({ differs }) => differs))
    assert.lengthOf(lines, compared(small).lines.filter(({ differs }) => differs).length)
    assert.deepStrictEqual(compared(play(small, pressed("d", "d")).state).lines, compared(small).lines)
    // A rule, and a row for each of two short values.
    assert.match(screen(small).slice(-6, -2).join("\n"), /^.*\n─ result ─+\n FAILED *\n ok *$/u)
  })
  it("fills every size, with both values of a difference in view", () => {
    for (const size of sizes) {
      const state = opened(size)
      const rows = render(state)
      assert.lengthOf(rows, size.rows)
      assert.isTrue(
        rows.some((row) => row.selected === true && /FAILED.*ok/u.test(plain(row))),
        `${size.columns}`
      )
    }
  })
  it("compares two selected events, and reports why it cannot compare", () => {
    const list = play(initial({ columns: 120, rows: 40 }), page([event(0), failed, fine])).state
    const { left, right } = compared(play(list, pressed("space", "j", "space", "=")).state)
    assert.deepStrictEqual([left._id, right._id], [event(0)._id, fine._id])
    assert.include(screen(play(list, pressed("space", "=")).state).join("\n"), "select exactly two events")
    assert.include(screen(play(list, pressed("=")).state).join("\n"), "no other success of this workflow")
  })
})
