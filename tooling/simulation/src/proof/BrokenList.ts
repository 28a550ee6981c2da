/**
 * Every broken client of the simulation, with the sweep that should catch it.
 */
import {
  type BrokenClient,
  brokenCallers,
  brokenClocks,
  brokenGates,
  brokenMarkers,
  brokenQuotas,
  brokenWalkers,
  brokenWriters
} from "../BrokenClients.ts"
import type { ClientUnderTest } from "../ClientUnderTest.ts"
import type { sweptScenarios } from "./SweptFamily.ts"

/** A client that is broken on purpose, and how it is swept. */
export interface ListedClient {
  /** Its family and its defect; unique. */
  readonly name: string
  readonly client: ClientUnderTest
  readonly sweep: keyof typeof sweptScenarios
}

const listed = (
  family: string,
  clients: Readonly<Record<string, BrokenClient>>,
  sweepOf: (defect: string) => ListedClient["sweep"]
): ReadonlyArray<ListedClient> =>
  Object.entries(clients).map(([defect, { client }]) => ({
    name: `${family}: ${defect}`,
    client,
    sweep: sweepOf(defect)
  }))

/** Every broken client. */
export const brokenList: ReadonlyArray<ListedClient> = [
  ...listed("single calls", brokenCallers, (defect) =>
    defect === "ignores RateLimit-Remaining: 0" ? "crowds" : "calls"
  ),
  ...listed("many calls", { ...brokenQuotas, ...brokenGates }, () => "crowds"),
  ...listed("upserts at the same time", brokenWriters, () => "calls"),
  ...listed("markManyAs", brokenMarkers, () => "marks"),
  ...listed("pages of a listing", brokenWalkers, () => "walks"),
  ...listed("a wall clock that is set", brokenClocks, () => "calls")
]
