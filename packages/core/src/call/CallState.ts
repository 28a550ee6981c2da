/**
 * State that the calls of one client share. Two clients share no state.
 *
 * **When to use**: to assemble services one by one: services with the same state share one retry quota and one rate
 * limit. `Client.layer` already does this.
 */
import * as Context from "effect/Context"
import * as Layer from "effect/Layer"
import type { RateLimitSnapshot } from "./CallInfo.ts"
import { inEffectSpan, type InSpan } from "./CallSpan.ts"
import type { AnyOperationName } from "../contract/Operations.ts"
import { makeGate, type RateGate } from "./RateGate.ts"

/**
 * Starts the request of a waiting call, or fails the call where it cannot start before its deadline; where a gate is closed,
 * adds that gate and its delay. Returns false when too many requests are in progress.
 */
type StartWaiting = (closed: Map<RateGate, number>) => boolean

/** A call that others wait for, or the timer that starts the next one. */
interface Holder {
  /** When it has ended at the latest, or its current step, in monotonic milliseconds. */
  readonly lapsesAt: number
}

/**
 * The mutable state of one client: written by the call pipeline only, in one step of one fiber each.
 */
export interface CallStateShape {
  /** Writes the spans of calls; no spans are written when unset. */
  readonly inSpan: InSpan | undefined
  /** Where the monotonic time of the client's calls starts, in nanoseconds; set by the first call. */
  origin: bigint | undefined
  /** Tokens that retries have taken from the quota. */
  spentQuota: number
  /** Whether the service has replayed a success to a key of this client, which proves that it honours keys. */
  replaysKeys: boolean
  /** The rate limit that the last response stated. */
  lastSnapshot: RateLimitSnapshot | undefined
  /**
   * Rate limits by category, and by operation once the service has named its category; `""` is for
   * all other operations.
   */
  readonly gates: Map<string, RateGate>
  /** Requests in progress. */
  inProgress: number
  /** The calls that wait for their turn, in the order in which they arrived. */
  readonly waiting: Set<StartWaiting>
  /** How many of them ignore the rate limit. */
  exempt: number
  /** Cancels the timer that starts the next waiting call. */
  cancelTimer: () => void
  /**
   * The calls and the timer that others wait for, by the function that releases each. On Cloudflare Workers, nothing of a
   * request runs after its end, so others release those that lapsed.
   */
  readonly holders: Map<() => void, Holder>
  /** When that was last checked, in monotonic milliseconds. */
  checkedAt: number
  /** The calls that change one entry, in the order in which they were made; only the first one sends requests. */
  readonly writes: Map<string, Map<() => void, { readonly wake: () => void }>>
}

/** Makes the state of a client that has made no call yet. */
export const make = (inSpan?: InSpan): CallStateShape => ({
  inSpan,
  origin: undefined,
  spentQuota: 0,
  replaysKeys: false,
  lastSnapshot: undefined,
  gates: new Map(),
  inProgress: 0,
  waiting: new Set(),
  exempt: 0,
  cancelTimer: () => {},
  holders: new Map(),
  checkedAt: 0,
  writes: new Map()
})

/** The gate of an operation. */
export const gateOf = ({ gates }: CallStateShape, operation: AnyOperationName): RateGate => {
  const known = gates.get(operation) ?? gates.get("")
  if (known !== undefined) return known
  const made = makeGate()
  gates.set("", made)
  return made
}

/** The state of one client. */
export class CallState extends Context.Service<CallState, CallStateShape>()("signalbox/core/CallState") {}

// Pure, and not a static member of the service: otherwise bundlers keep it, and `effect/Layer`, where nothing uses it.
/**
 * Provides a new state, one for each layer that is built.
 *
 * @example
 * ```ts
 * import * as Layer from "effect/Layer"
 * import * as CallState from "@signalbox/core/CallState"
 * import { Events } from "@signalbox/core/Events"
 * import { Messages } from "@signalbox/core/Messages"
 *
 * // One retry quota and one rate limit for both.
 * const services = Layer.mergeAll(Events.layer, Messages.layer).pipe(Layer.provide(CallState.layer))
 * ```
 */
export const layer: Layer.Layer<CallState> = /* @__PURE__ */ Layer.sync(CallState, () => make(inEffectSpan))
