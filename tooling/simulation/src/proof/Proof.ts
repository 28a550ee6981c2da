/**
 * Proves that the check and the sweep that users run find every broken client, and find nothing in the one that ships.
 */
import { existsSync, readFileSync } from "node:fs"
import {
  checkClient,
  CheckFailed,
  type CheckRuleName,
  Fault,
  readToken,
  sweep,
  SweepFailed,
  type SweepOptions
} from "@signalbox/test-harness"
import type { ClientUnderTest } from "../ClientUnderTest.ts"
import type { ListedClient } from "./BrokenList.ts"
import { checkedClient, promises } from "./CheckedClient.ts"
import { type SweptScenario, sweptScenarios } from "./SweptFamily.ts"

/** How a check caught a client. */
export interface CaughtByCheck {
  readonly rule: CheckRuleName
  readonly token: string
}

/** How a sweep caught a client; without a token, the test did not pass without a fault either. */
export interface CaughtBySweep {
  readonly fault: Fault.Fault | undefined
  readonly token: string | undefined
}

/** The findings in a broken client. */
export interface ProofRow {
  readonly name: string
  readonly check: CaughtByCheck | undefined
  readonly sweep: CaughtBySweep | undefined
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
const catchByCheck = async (client: ClientUnderTest): Promise<CaughtByCheck | undefined> => {
  for (const runs of [25, 100, manyRetries, 1_000]) {
    try {
      await checkClient(checkedClient(client), { runs, ...promises })
    } catch (error) {
      const [finding] = error instanceof CheckFailed ? error.report.findings : []
      if (finding === undefined) throw error
      return { rule: finding.rule, token: finding.token }
    }
  }
  return undefined
}

/** Sweeps a client; `undefined` if its test passes with every fault. */
const catchBySweep = async (
  client: ClientUnderTest,
  { options, test }: SweptScenario,
  tried: Pick<SweepOptions, "faults" | "reproduce">
): Promise<CaughtBySweep | undefined> => {
  try {
    await sweep(test(client), { ...options, ...tried })
    return undefined
  } catch (error) {
    if (!(error instanceof SweepFailed)) return { fault: undefined, token: undefined }
    const [first] = error.report.failures
    return first === undefined ? undefined : { fault: first.fault, token: first.token }
  }
}

/** How a sweep catches a client: with one kind of fault after the other. */
const sweepUntilCaught = async ({ client, sweep: name }: ListedClient): Promise<CaughtBySweep | undefined> => {
  const scenario = sweptScenarios[name]
  for (const fault of scenario.faults) {
    const caught = await catchBySweep(client, scenario, { faults: [fault] })
    if (caught !== undefined) return caught
  }
  return undefined
}

/** Whether a client is still caught as a row says. */
export const isStillCaught = async ({ client, sweep: name }: ListedClient, row: ProofRow): Promise<boolean> => {
  const swept = row.sweep
  if (swept !== undefined) {
    const tried = swept.token === undefined ? { faults: [] } : { reproduce: swept.token }
    if ((await catchBySweep(client, sweptScenarios[name], tried)) === undefined) return false
  }
  const { check } = row
  if (check === undefined) return true
  // One program is too few for the delays of many retries.
  const tried = check.rule === "retry-delays" ? { runs: manyRetries } : { reproduce: check.token }
  const error: unknown = await checkClient(checkedClient(client), { ...promises, ...tried }).catch(
    (thrown: unknown) => thrown
  )
  return error instanceof CheckFailed && error.report.findings.some(({ rule }) => rule === check.rule)
}

/** The findings in a broken client: the earlier ones, if both tools still report them. */
export const proveBroken = async (listed: ListedClient, before: ProofRow | undefined): Promise<ProofRow> =>
  before?.check !== undefined && before.sweep !== undefined && (await isStillCaught(listed, before))
    ? before
    : { name: listed.name, check: await catchByCheck(listed.client), sweep: await sweepUntilCaught(listed) }

/** Checks the client that ships with this many programs. */
export const proveShipped = async (client: ClientUnderTest, runs: number, seed: number): Promise<number> =>
  (await checkClient(checkedClient(client), { runs, seed, ...promises })).programs

/** Sweeps the client that ships; returns how many cells were reached. */
export const sweepShipped = async (client: ClientUnderTest): Promise<number> => {
  let cells = 0
  for (const { faults, options, test } of Object.values(sweptScenarios)) {
    const report = await sweep(test(client), { ...options, faults })
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

const faultName = ({ fault, token }: CaughtBySweep): string => {
  if (fault === undefined || token === undefined) return "without a fault"
  const [armed] = readToken(token).faults ?? []
  return `${Fault.describe(fault)}, request ${armed?.request}`
}

/** The table in Markdown. */
export const proofTable = ({ rows }: Proof): string =>
  [
    "| Client | Check | Sweep |",
    "| --- | --- | --- |",
    ...rows.map(({ check, name, sweep: swept }) => {
      const rule = check === undefined ? `– (${reasonOf(name)})` : `\`${check.rule}\``
      return `| ${name} | ${rule} | ${swept === undefined ? `– (${reasonOf(name)})` : faultName(swept)} |`
    })
  ].join("\n")
