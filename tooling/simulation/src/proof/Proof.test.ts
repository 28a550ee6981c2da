import { readFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import { shipped, shippedOverFetch } from "../ClientUnderTest.ts"
import { brokenList, isStillCaught, keptProof, proofPage, proveShipped, reasonOf, withProof } from "./Proof.ts"

const proof = keptProof()

const rerun = "run pnpm --filter @signalbox/simulation run prove"

// The time limit catches hangs; it says nothing about speed.
describe("the check that users run", { timeout: 300_000 }, () => {
  it.each([
    ["over Effect's HTTP client", shipped],
    ["over fetch", shippedOverFetch]
  ])("finds nothing in the client that ships, %s", async (_name, client) => {
    assert.strictEqual(await proveShipped(client, 40, 1), 40)
  })

  it.each(brokenList)("catches: %s", async (name, client) => {
    const row = proof.rows.find((kept) => kept.name === name)
    assert(row !== undefined, rerun)
    assert.isTrue(await isStillCaught(client, row), rerun)
    if (row.rule === undefined) assert.isDefined(reasonOf(name))
  })

  it("found nothing in at least 20,000 programs, as the page says", () => {
    assert.isAtLeast(proof.programs, 20_000)
    const page = readFileSync(proofPage, "utf8")
    const cells = (text: string) => text.split("\n").map((line) => line.split("|").map((cell) => cell.trim()))
    const rows = (text: string) => cells(text).filter((row) => row.length > 1 && row[1]?.startsWith("-") === false)
    assert.deepStrictEqual(rows(page), rows(withProof(page, proof)), rerun)
    assert.sameMembers(
      proof.rows.map(({ name }) => name),
      brokenList.map(([name]) => name),
      rerun
    )
  })
})
