/**
 * What a world does with idempotency keys, as far as a client can rely on it.
 */
import type { Switches } from "@signalbox/test-harness"

/**
 * Whether a repeated key is never worked on twice. A service that works on a key again while its first request is still
 * under way does not honour keys, although it answers finished ones from memory.
 */
export const areKeysHonoured = (switches: Switches): boolean =>
  switches["idempotency.sameBody"] === "replay" && switches["idempotency.inFlight"] !== "apply"
