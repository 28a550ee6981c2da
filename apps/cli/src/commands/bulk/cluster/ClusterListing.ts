import type { ClusterRunStatus } from "@signalbox/bulk/cluster"
import type { Listing } from "../../../output/Listing.ts"
import { countFields } from "../RunListing.ts"

/** How runs on a cluster are printed. */
export const clusterListing: Listing<ClusterRunStatus> = {
  fields: {
    id: { value: ({ id }) => id, isShort: true },
    kind: { value: ({ kind }) => kind, isShort: true },
    state: { value: ({ state }) => state, isShort: true },
    lines: { value: ({ lines }) => lines, isShort: true },
    ...countFields,
    chunks: { value: ({ chunks }) => chunks, isShort: true },
    chunksDone: { value: ({ chunksDone }) => chunksDone, isShort: true },
    maybeTwice: { value: ({ maybeTwice }) => maybeTwice },
    pass: { value: ({ pass }) => pass },
    created: { value: ({ createdAt }) => createdAt },
    file: { value: ({ file }) => file },
    problem: {
      value: ({ problem }) => problem ?? null,
      tone: ({ problem }) => (problem === undefined ? undefined : "bad")
    }
  },
  columns: ["id", "state", "lines", "succeeded", "failed", "unknown", "invalid", "problem"],
  record: (run) => run
}
