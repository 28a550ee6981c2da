/**
 * The idempotency keys that an environment stores.
 */
import type * as HashMap from "effect/HashMap"
import type { WireResponse } from "../wire/Delivery.ts"

/** The state of a key: its request is being processed, or is finished. */
export type KeptKey =
  | { readonly _tag: "InFlight"; readonly key: string; readonly at: number; readonly body: string }
  | { readonly _tag: "Finished"; readonly at: number; readonly body: string; readonly response: WireResponse }

/** All keys that an environment stores, by scope and key. */
export type KeptKeys = HashMap.HashMap<string, KeptKey>
