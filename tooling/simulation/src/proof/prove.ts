/**
 * Checks and sweeps the client that ships and every broken one, and writes `tooling/simulation/proof.md`.
 */
import { readFileSync, writeFileSync } from "node:fs"
import { parseOptions, runTool, wholeNumber } from "@signalbox/repository/CommandLine"
import { shipped, shippedOverFetch } from "../ClientUnderTest.ts"
import { brokenList } from "./BrokenList.ts"
import { keptRow, type Proof, proofFile, type ProofRow, proveBroken, proveShipped, sweepShipped } from "./Proof.ts"
import { proofPage, withProof } from "./ProofPage.ts"

/** Programs with one seed, so that progress shows. */
const programsPerSeed = 1_000

await runTool(async () => {
  const { programs: wanted } = parseOptions(process.argv.slice(2), {
    options: { programs: { type: "string", default: "20000" } }
  }).values
  const most = wholeNumber("--programs", wanted, programsPerSeed)
  let programs = 0
  for (let seed = 1; programs < most; seed += 1) {
    programs += await proveShipped(seed % 2 === 0 ? shipped : shippedOverFetch, programsPerSeed, seed)
    console.log(`${programs} programs, no rule broken`)
  }
  const cells = (await sweepShipped(shipped)) + (await sweepShipped(shippedOverFetch))
  console.log(`${cells} cells of sweeps, all passed`)
  const rows: Array<ProofRow> = []
  for (const listed of brokenList) {
    const row = await proveBroken(listed, keptRow(listed.name))
    rows.push(row)
    console.log(`${row.name}: ${row.rule ?? "not seen by the check"}, ${row.cell === undefined ? "not " : ""}swept`)
  }
  const proof: Proof = { programs, cells, rows }
  writeFileSync(proofFile, `${JSON.stringify(proof, undefined, 2)}\n`)
  writeFileSync(proofPage, withProof(readFileSync(proofPage, "utf8"), proof))
  return 0
})
