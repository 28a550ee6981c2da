/**
 * Checks the client that ships and every broken one, and writes `tooling/simulation/proof.md`.
 */
import { readFileSync, writeFileSync } from "node:fs"
import { parseOptions, runTool, wholeNumber } from "@signalbox/repository/CommandLine"
import { shipped, shippedOverFetch } from "../ClientUnderTest.ts"
import {
  brokenList,
  keptProof,
  type Proof,
  proofFile,
  proofPage,
  type ProofRow,
  proveBroken,
  proveShipped,
  withProof
} from "./Proof.ts"

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
  const rows: Array<ProofRow> = []
  const before = keptProof().rows
  for (const [name, client] of brokenList) {
    const row = await proveBroken(
      name,
      client,
      before.find((known) => known.name === name)
    )
    rows.push(row)
    console.log(`${name}: ${row.rule ?? "not seen by the check"}`)
  }
  const proof: Proof = { programs, rows }
  writeFileSync(proofFile, `${JSON.stringify(proof, undefined, 2)}\n`)
  writeFileSync(proofPage, withProof(readFileSync(proofPage, "utf8"), proof))
  return 0
})
