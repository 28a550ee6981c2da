/**
 * A fault as a value: what goes wrong, at which point, and for which requests. It is plain JSON.
 */
import type { OperationName } from "@signalbox/core/Operation"
import type { Ending } from "../request/Delivery.ts"
import type { InterferencePoint } from "../request/Interference.ts"

/** How long a request is held up, in milliseconds. */
export type Latency =
  | { readonly distribution: "fixed"; readonly millis: number }
  | { readonly distribution: "uniform"; readonly from: number; readonly to: number }
  | { readonly distribution: "lognormal"; readonly median: number; readonly sigma: number; readonly most?: number }

/** What goes wrong. */
export type FaultForm =
  | { readonly _tag: "Latency"; readonly latency: Latency }
  /** Another answer than the service would give. */
  | {
      readonly _tag: "Status"
      readonly status: number
      readonly body?: unknown
      readonly headers?: Readonly<Record<string, string>>
    }
  | { readonly _tag: "RateLimited"; readonly retryAfter: number | "absent"; readonly as?: "seconds" | "http-date" }
  /** The page of a gateway. */
  | { readonly _tag: "Html"; readonly status: number }
  | { readonly _tag: "Refuse" }
  | { readonly _tag: "Ending"; readonly ending: Ending }
  /** The body comes in small pieces. */
  | { readonly _tag: "SlowBody"; readonly bytes: number; readonly everyMillis: number }
  /** The body ends after so many bytes. */
  | { readonly _tag: "CutBody"; readonly afterBytes: number; readonly ending: Ending }
  /** The body is whole, but no JSON. */
  | { readonly _tag: "MalformedJson" }
  | { readonly _tag: "ContentType"; readonly contentType: string }
  /** The body says what the contract does not know, at the first place that fits or at the named one. */
  | {
      readonly _tag: "Drift"
      readonly kind: "unknown-enum-value" | "unknown-field" | "missing-field" | "null"
      /** Name of the field; the first one that fits unless given. */
      readonly field?: string
    }

/** A fault. */
export interface Fault {
  readonly form: FaultForm
  /** Where on the way of a request it happens. */
  readonly point: InterferencePoint
  /** Only requests for this operation. */
  readonly operation?: OperationName
  /** Only the nth request of a logical operation, counted from 1. */
  readonly attempt?: number
  /** Only requests with this idempotency key. */
  readonly key?: string
  /** Happens by chance, from 0 to 1, drawn from the seed of the environment. */
  readonly probability?: number
  /** How often it happens at most; once unless given, and without end for `"always"`. */
  readonly times?: number | "always"
}
