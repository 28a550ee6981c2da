/**
 * Every broken client of the simulation, with the check and the sweep that should catch it.
 */
import type { MakeClient } from "@signalbox/test-harness"
import { brokenCallers, brokenClocks, brokenGates, brokenQuotas, brokenWriters } from "../BrokenClients.ts"
import type { BrokenClient } from "../Family.ts"
import { brokenMarkers, brokenWalkers } from "../promises/BrokenPromiseClients.ts"
import { checkedClient } from "./CheckedClient.ts"
import { type Sweep, sweeps } from "./SweptFamily.ts"

/** A client that is broken on purpose. */
export interface ListedClient {
  /** Its family and its defect; unique. */
  readonly name: string
  /** The target of a check; `undefined` for a client whose defect no single call shows. */
  readonly check?: MakeClient
  readonly sweep: Sweep
}

const listed = <Client>(
  family: string,
  clients: Readonly<Record<string, BrokenClient<Client>>>,
  toolsOf: (client: Client, defect: string) => Omit<ListedClient, "name">
): ReadonlyArray<ListedClient> =>
  Object.entries(clients).map(([defect, { client }]) =>
    Object.assign({ name: `${family}: ${defect}` }, toolsOf(client, defect))
  )

const listedCalls = (family: string, clients: Readonly<Record<string, BrokenClient>>) =>
  listed(family, clients, (client, defect) => {
    const isCrowd = family === "many calls" || defect === "ignores RateLimit-Remaining: 0"
    return { check: checkedClient(client), sweep: sweeps[isCrowd ? "crowds" : "calls"](client) }
  })

/** Every broken client. */
export const brokenList: ReadonlyArray<ListedClient> = [
  ...listedCalls("single calls", brokenCallers),
  ...listedCalls("many calls", { ...brokenQuotas, ...brokenGates }),
  ...listedCalls("upserts at the same time", brokenWriters),
  ...listed("markManyAs", brokenMarkers, (client) => ({ sweep: sweeps.marks(client) })),
  ...listed("pages of a listing", brokenWalkers, (client) => ({ sweep: sweeps.walks(client) })),
  ...listedCalls("a wall clock that is set", brokenClocks)
]
