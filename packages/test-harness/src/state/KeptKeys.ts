import type * as HashMap from "effect/HashMap"
import type { WireResponse } from "../wire/Delivery.ts"

export interface StoredResponse extends Omit<WireResponse, "body"> {
  readonly body: string | undefined
}

/** The state of a key: its request is being processed, or is finished. */
export type KeptKey =
  | { readonly _tag: "InFlight"; readonly key: string; readonly at: number; readonly body: string }
  | { readonly _tag: "Finished"; readonly at: number; readonly body: string; readonly response: StoredResponse }

/** All keys that an environment stores, by scope and key. */
export type KeptKeys = HashMap.HashMap<string, KeptKey>
