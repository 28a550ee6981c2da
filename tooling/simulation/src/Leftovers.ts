/**
 * Checks that nothing stays open after the work of a client, and that nothing is sent after its end.
 */
import type { Observed } from "./Family.ts"
import type { Recording } from "./Recorder.ts"

/** Resources that a client left open. */
export interface Leftovers {
  readonly timers: number
  readonly exchanges: number
}

/** Resources that a recorded client left open. */
export const leftoversOf = ({ watch: { exchanges, timers } }: Recording): Leftovers => ({ timers, exchanges })

/** Findings about timers and exchanges. */
export const wrongLeftBehind = ({ exchanges, timers }: Leftovers): ReadonlyArray<string> => [
  ...(timers > 0 ? [`left ${timers} timers running`] : []),
  ...(exchanges > 0 ? [`left ${exchanges} exchanges open`] : [])
]

/** Findings about timers, exchanges and requests; the clock of the service is `ahead` milliseconds ahead. */
export const wrongLeftovers = (
  { endedAt, journal, leftBehind }: Observed & { readonly endedAt: number; readonly leftBehind: Leftovers },
  ahead = 0
): ReadonlyArray<string> => [
  ...wrongLeftBehind(leftBehind),
  ...journal.flatMap(({ at, number, outcome }) => [
    ...(at - ahead > endedAt ? [`sent request ${number} after its end`] : []),
    ...(outcome._tag === "Pending" ? [`request ${number} is still pending`] : [])
  ])
]
