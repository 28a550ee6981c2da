/**
 * The guarantees about idempotency keys that a client may rely on.
 */
import type { Switches } from "@signalbox/test-harness"

/**
 * Whether the service never does the work of one key twice. A service that repeats the work while the first request is
 * still in progress does not honour keys, even if it replays finished responses.
 */
export const areKeysHonoured = (switches: Switches): boolean =>
  switches["idempotency.sameBody"] === "replay" && switches["idempotency.inFlight"] !== "apply"
