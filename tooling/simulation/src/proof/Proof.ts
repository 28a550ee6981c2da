/**
 * Proves that the check and the sweep that users run find every broken client, and find nothing in the one that ships.
 */
import { existsSync, readFileSync } from "node:fs"
import {
  checkClient,
  CheckFailed,
  type CheckRuleName,
  Fault,
  type MakeClient,
  readToken,
  sweep,
  SweepFailed,
  type SweepOptions
} from "@signalbox/test-harness"
import type { ClientUnderTest } from "../ClientUnderTest.ts"
import type { ListedClient } from "./BrokenList.ts"
import { checkedClient, promises } from "./CheckedClient.ts"
import { shippedSweeps, type Sweep } from "./SweptFamily.ts"

/** The findings in a broken client. */
export interface ProofRow {
  readonly name: string
  /** The rule of the check that the client breaks, and the program with which it does. */
  readonly rule?: CheckRuleName
  readonly program?: string
  /** The token of a failed cell of a sweep; empty for a test that does not pass without a fault either. */
  readonly cell?: string
}

/** Everything that was found. */
export interface Proof {
  /** Programs of checks of the client that ships, in which no rule was broken. */
  readonly programs: number
  /** Cells of sweeps of the client that ships, all of which passed. */
  readonly cells: number
  readonly rows: ReadonlyArray<ProofRow>
}

/** Where the proof is kept. */
export const proofFile = new URL("proof.json", import.meta.url)

/** The proof that was kept. */
export const keptProof = (): Proof => JSON.parse(readFileSync(proofFile, "utf8")) as Proof // written by the command

/** The earlier findings in a client. */
export const keptRow = (name: string): ProofRow | undefined =>
  existsSync(proofFile) ? keptProof().rows.find((row) => row.name === name) : undefined

/** Programs with enough retries for their distribution. */
const manyRetries = 500

/** How the check catches a client, with a few programs or with many. */
const catchByCheck = async (client: MakeClient): Promise<Pick<ProofRow, "rule" | "program">> => {
  for (const runs of [25, 100, manyRetries, 1_000]) {
    try {
      await checkClient(client, { runs, ...promises })
    } catch (error) {
      const [finding] = error instanceof CheckFailed ? error.report.findings : []
      if (finding === undefined) throw error
      return { rule: finding.rule, program: finding.token }
    }
  }
  return {}
}

/** Sweeps a client; `undefined` if its test passes with every fault. */
const catchBySweep = async (
  { options, test }: Sweep,
  tried: Pick<SweepOptions, "faults" | "reproduce">
): Promise<string | undefined> => {
  try {
    await sweep(test, { ...options, ...tried })
    return undefined
  } catch (error) {
    return error instanceof SweepFailed ? error.report.failures[0]?.token : ""
  }
}

/** How a sweep catches a client: with one kind of fault after the other. */
const sweepUntilCaught = async (swept: Sweep): Promise<Pick<ProofRow, "cell">> => {
  for (const fault of swept.faults) {
    const cell = await catchBySweep(swept, { faults: [fault] })
    if (cell !== undefined) return { cell }
  }
  return {}
}

/** Whether a client is still caught as a row says. */
export const isStillCaught = async (
  { check, sweep: swept }: ListedClient,
  { cell, program, rule }: ProofRow
): Promise<boolean> => {
  if (cell !== undefined) {
    if ((await catchBySweep(swept, cell === "" ? { faults: [] } : { reproduce: cell })) === undefined) return false
  }
  if (rule === undefined || program === undefined || check === undefined) return true
  // One program is too few for the delays of many retries.
  const tried = rule === "retry-delays" ? { runs: manyRetries } : { reproduce: program }
  const error: unknown = await checkClient(check, { ...promises, ...tried }).catch((thrown: unknown) => thrown)
  return error instanceof CheckFailed && error.report.findings.some((finding) => finding.rule === rule)
}

/** The findings in a broken client: the earlier ones, if both tools still report them. */
export const proveBroken = async (listed: ListedClient, before: ProofRow | undefined): Promise<ProofRow> =>
  before?.rule !== undefined && before.cell !== undefined && (await isStillCaught(listed, before))
    ? before
    : {
        name: listed.name,
        ...(listed.check === undefined ? {} : await catchByCheck(listed.check)),
        ...(await sweepUntilCaught(listed.sweep))
      }

/** Checks the client that ships with this many programs. */
export const proveShipped = async (client: ClientUnderTest, runs: number, seed: number): Promise<number> =>
  (await checkClient(checkedClient(client), { runs, seed, ...promises })).programs

/** Sweeps the clients that ship; returns how many cells were reached. */
export const sweepShipped = async (client: ClientUnderTest): Promise<number> => {
  let cells = 0
  for (const { faults, options, test } of shippedSweeps(client)) {
    const report = await sweep(test, { ...options, faults })
    cells += report.cells.filter(({ outcome }) => outcome !== "not-reached").length
  }
  return cells
}

/** Why the check cannot see a defect, by the start of the client's name. */
const unseen: ReadonlyArray<readonly [string, string]> = [
  ["upserts at the same time", "the test of the sweep makes one call after the other"],
  ["markManyAs: forgets", "a check makes single calls, and no fault of a sweep loses a message"],
  ["markManyAs", "a check makes single calls"],
  ["pages of a listing", "a check makes single calls"],
  ["a wall clock that is set", "no wall clock is set during a check"],
  ["many calls", "too few calls to exhaust a quota or a limit"],
  ["single calls: waits equally long", "too few retries for a distribution"],
  ["single calls: retries without jitter", "too few retries for a distribution"],
  ["single calls: retries after half", "too few retries for a distribution"],
  ["single calls: shows what a rejection repeats", "the service of a check repeats no request"],
  ["single calls: ignores the vendor", "no call of a check names a provider of the vendor"],
  ["single calls: ignores its retry quota", "a check makes at most three calls, which do not use up the quota"],
  ["single calls: ignores RateLimit-Remaining: 0", "to wait for a rate limit before a 429 is our own policy"],
  ["single calls: loses the status of responses", "a client may leave out the status of a response that breaks off"],
  ["single calls: reads tolerantly", "a client may read tolerantly"]
]

/** Why a defect that was not caught cannot be. */
export const reasonOf = (name: string): string | undefined => unseen.find(([begin]) => name.startsWith(begin))?.[1]

const faultName = (cell: string): string => {
  const [armed] = cell === "" ? [] : (readToken(cell).faults ?? [])
  // A sweep writes the point of its fault.
  return armed === undefined ? "without a fault" : `${Fault.describe(armed as Fault.Fault)}, request ${armed.request}`
}

/** The table in Markdown. */
export const proofTable = ({ rows }: Proof): string =>
  [
    "| Client | Check | Sweep |",
    "| --- | --- | --- |",
    ...rows.map(({ cell, name, rule }) => {
      const unseen = `– (${reasonOf(name)})`
      return `| ${name} | ${rule === undefined ? unseen : `\`${rule}\``} | ${cell === undefined ? unseen : faultName(cell)} |`
    })
  ].join("\n")
