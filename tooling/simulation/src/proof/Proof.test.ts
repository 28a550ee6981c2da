import { readFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import { Fault, sweep } from "@signalbox/test-harness"
import { shipped, shippedOverFetch } from "../ClientUnderTest.ts"
import { brokenList } from "./BrokenList.ts"
import { isStillCaught, keptProof, proveShipped, reasonOf } from "./Proof.ts"
import { proofPage, withProof } from "./ProofPage.ts"
import { shippedSweeps } from "./SweptFamily.ts"

const proof = keptProof()

const rowOf = (name: string) => proof.rows.find((row) => row.name === name)

const rerun = "run pnpm --filter @signalbox/simulation run prove"

// The time limit catches hangs; it says nothing about speed.
describe("the check and the sweep that users run", { timeout: 300_000 }, () => {
  it.each([
    ["over Effect's HTTP client", shipped],
    ["over fetch", shippedOverFetch]
  ])("find nothing in the client that ships, %s", async (_name, client) => {
    assert.strictEqual(await proveShipped(client, 40, 1), 40)
    for (const { options, test } of shippedSweeps(client)) {
      const { cells, failures } = await sweep(test, { ...options, faults: [Fault.status(503)] })
      assert.isEmpty(failures)
      assert.isAbove(cells.filter(({ outcome }) => outcome === "passed").length, 2)
    }
  })

  it.each(brokenList.map((listed) => [listed.name, listed] as const))("catch: %s", async (name, listed) => {
    const row = rowOf(name)
    assert.isDefined(row, rerun)
    if (row === undefined) return
    assert.isTrue(await isStillCaught(listed, row), rerun)
    if (row.rule === undefined || row.cell === undefined) assert.isDefined(reasonOf(name))
  })

  it("found nothing in at least 20,000 programs, as the page says", () => {
    assert.isAtLeast(proof.programs, 20_000)
    const page = readFileSync(proofPage, "utf8")
    const cells = (text: string) => text.split("\n").map((line) => line.split("|").map((cell) => cell.trim()))
    const rows = (text: string) => cells(text).filter((row) => row.length > 1 && row[1]?.startsWith("-") === false)
    assert.deepStrictEqual(rows(page), rows(withProof(page, proof)), rerun)
    assert.sameMembers(
      proof.rows.map(({ name }) => name),
      brokenList.map(({ name }) => name),
      rerun
    )
  })
})
