/**
 * The faults that a sweep tries by default, and from which the programs of a check are made.
 */
import * as Fault from "../faults/Fault.ts"
import { pointsOf } from "../faults/FaultForms.ts"

const everywhere = ({ form }: Fault.Fault): ReadonlyArray<Fault.Fault> =>
  pointsOf(form._tag).map((point) => ({ form, point }))

/** Each form of fault at every point that it allows. Made when they are needed, so that a server starts without them. */
export const everyFault = (): ReadonlyArray<Fault.Fault> => [
  ...[
    Fault.refuse(),
    Fault.reset(),
    Fault.close(),
    Fault.hang(),
    Fault.garbage(),
    Fault.status(500),
    Fault.html(502),
    Fault.status(503),
    Fault.cutBody({ afterBytes: 1, failure: "reset" }),
    Fault.malformedJson(),
    Fault.drift({ kind: "unknown-enum-value" })
  ].flatMap(everywhere),
  // A service that rejects a request because of its rate limit has not applied it.
  Fault.rateLimited({ retryAfterMs: 1_000 })
]
