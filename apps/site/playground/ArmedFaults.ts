/**
 * The faults that the page offers.
 */
import { Fault } from "@signalbox/test-harness"
import type { FaultLabel } from "./Faults.ts"

/** Makes each fault. */
export const armedFaults: Readonly<Record<FaultLabel, () => Fault.Fault>> = {
  "503, once": () => Fault.status(503),
  "503, always": () => Fault.status(503, { times: "always" }),
  "429 with Retry-After: 1": () => Fault.rateLimited({ retryAfterMs: 1000 }),
  "connection reset before the change": () => Fault.reset({ at: "received" }),
  "connection reset after the change": () => Fault.reset({ at: "committed" }),
  "HTML page of a gateway": () => Fault.html(502),
  "body that breaks off": () => Fault.cutBody({ afterBytes: 10, failure: "reset" }),
  "unknown enumeration value": () => Fault.drift({ kind: "unknown-enum-value" })
}
