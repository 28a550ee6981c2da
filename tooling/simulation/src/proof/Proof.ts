/**
 * Proves that the check that users run finds the broken clients of the simulation, and nothing in the one that ships.
 */
import { readFileSync } from "node:fs"
import { checkClient, CheckFailed, type CheckRuleName, type MakeClient } from "@signalbox/test-harness"
import { brokenCallers, brokenGates, brokenQuotas, brokenWriters } from "../BrokenClients.ts"
import type { ClientUnderTest } from "../ClientUnderTest.ts"
import type { BrokenClient } from "../Family.ts"
import { checkedClient, promises } from "./CheckedClient.ts"

/** The finding in a broken client: the rule of the check that it breaks, and the program with which it does. */
export interface ProofRow {
  readonly name: string
  readonly rule?: CheckRuleName
  readonly program?: string
}

/** Everything that was found. */
export interface Proof {
  /** Programs of checks of the client that ships, in which no rule was broken. */
  readonly programs: number
  readonly rows: ReadonlyArray<ProofRow>
}

const listed = (
  family: string,
  clients: Readonly<Record<string, BrokenClient>>
): ReadonlyArray<readonly [name: string, client: MakeClient]> =>
  Object.entries(clients).map(([defect, { client }]) => [`${family}: ${defect}`, checkedClient(client)])

/** Every client with broken calls, by its family and its defect. */
export const brokenList: ReadonlyArray<readonly [name: string, client: MakeClient]> = [
  ...listed("single calls", brokenCallers),
  ...listed("many calls", { ...brokenQuotas, ...brokenGates }),
  ...listed("upserts at the same time", brokenWriters)
]

/** Where the proof is kept. */
export const proofFile = new URL("proof.json", import.meta.url)

/** The proof that was kept. */
export const keptProof = (): Proof => JSON.parse(readFileSync(proofFile, "utf8")) as Proof // written by the command

/** Programs with enough retries for their distribution. */
const manyRetries = 500

/** How the check catches a client, with a few programs or with many. */
const catchByCheck = async (client: MakeClient): Promise<Omit<ProofRow, "name">> => {
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

/** Whether a client is still caught as a row says. */
export const isStillCaught = async (client: MakeClient, { program, rule }: ProofRow): Promise<boolean> => {
  if (rule === undefined || program === undefined) return true
  // One program is too few for the delays of many retries.
  const tried = rule === "retry-delays" ? { runs: manyRetries } : { reproduce: program }
  const error: unknown = await checkClient(client, { ...promises, ...tried }).catch((thrown: unknown) => thrown)
  return error instanceof CheckFailed && error.report.findings.some((finding) => finding.rule === rule)
}

/** The finding in a broken client: the earlier one, if the check still reports it. */
export const proveBroken = async (name: string, client: MakeClient, before: ProofRow | undefined): Promise<ProofRow> =>
  before?.rule !== undefined && (await isStillCaught(client, before))
    ? before
    : { name, ...(await catchByCheck(client)) }

/** Checks the client that ships with this many programs. */
export const proveShipped = async (client: ClientUnderTest, runs: number, seed: number): Promise<number> =>
  (await checkClient(checkedClient(client), { runs, seed, ...promises })).programs

/** Why the check cannot see a defect, by the start of the client's name. */
const unseen: ReadonlyArray<readonly [string, string]> = [
  ["many calls", "too few calls to exhaust a quota or a limit"],
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

/** The page. */
export const proofPage = new URL("../../proof.md", import.meta.url)

const between = (page: string, name: string, text: string): string =>
  page.replace(new RegExp(`(?<=<!-- ${name}: .*? -->\n).*?(?=<!-- /${name} -->)`, "su"), () => `\n${text}\n\n`)

const number = new Intl.NumberFormat("en-US")

/** The page with what was found. */
export const withProof = (page: string, { programs, rows }: Proof): string => {
  const shipped = `The last run checked the client that ships with ${number.format(programs)} programs, and found nothing.`
  const table = [
    "| Client | Check |",
    "| --- | --- |",
    ...rows.map(({ name, rule }) => `| ${name} | ${rule === undefined ? `– (${reasonOf(name)})` : `\`${rule}\``} |`)
  ]
  return between(between(page, "shipped", shipped), "broken", table.join("\n"))
}
