/**
 * Idempotency of all operations, according to the switches.
 */
import * as HashMap from "effect/HashMap"
import * as Option from "effect/Option"
import * as Random from "../random/Random.ts"
import type { KeptKey, KeptKeys, StoredResponse } from "../state/KeptKeys.ts"
import type { Switches } from "../switches/Switches.ts"
import type { WireResponse } from "../wire/Delivery.ts"
import type { FakeRequest } from "../wire/FakeRequest.ts"
import { bodyOf } from "../wire/WireBody.ts"

const hour = 3_600_000

/** How long a key stays reserved by a request that never finishes. */
const reservation = 300_000

const retentions: Readonly<Record<Switches["idempotency.retention"], number>> = {
  "24h": 24 * hour,
  "1h": hour,
  forever: Infinity
}

/** A key that applies to a request. */
export interface Ticket {
  readonly key: string
  /** The key with its scope. */
  readonly scoped: string
  /** Equal for bodies that are treated as equal. */
  readonly body: string
}

/** The effect of a key on a request. */
export type Verdict =
  | { readonly _tag: "Proceed" }
  | { readonly _tag: "Replay"; readonly response: WireResponse }
  /** The key is reserved for this many more milliseconds. */
  | { readonly _tag: "InFlight"; readonly millis: number }
  | { readonly _tag: "OtherBody" }

/** A JSON value whose objects have their fields in one order. */
export const canonical = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(canonical)
  if (typeof value !== "object" || value === null) return value
  const entries: ReadonlyArray<readonly [string, unknown]> = Object.entries(value)
  return Object.fromEntries(
    entries.toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([name, part]) => [name, canonical(part)])
  )
}

const areHonoured = (switches: Switches): boolean => switches["idempotency.sameBody"] === "replay"

/** The key of a request, if it applies. */
export const ticketOf = (
  switches: Switches,
  isReading: boolean,
  request: FakeRequest,
  body: unknown
): Ticket | undefined => {
  const key = request.header("idempotency-key") ?? ""
  if (key === "" || !areHonoured(switches)) return undefined
  if (isReading && switches["idempotency.reads"] === "ignored") return undefined
  const scope = switches["idempotency.scope"] === "operation" ? `${request.method} ${request.path}` : ""
  return {
    key,
    scoped: `${scope}\n${key}`,
    body: Random.digest(JSON.stringify(switches["idempotency.body"] === "canonical" ? canonical(body) : body) ?? "")
  }
}

/** Whether a key is longer than the service accepts. */
export const isTooLong = (switches: Switches, key: string): boolean =>
  switches["idempotency.keyLimit"] !== "none" && key.length > Number(switches["idempotency.keyLimit"])

const isCurrent = (switches: Switches, kept: KeptKey, now: number): boolean =>
  now - kept.at < (kept._tag === "InFlight" ? reservation : retentions[switches["idempotency.retention"]])

const stored = (response: WireResponse): StoredResponse => ({ ...response, body: response.body?.text() })

const restored = (response: StoredResponse): WireResponse => ({
  ...response,
  body: response.body === undefined ? undefined : bodyOf(response.body)
})

/** Looks up the effect of a key on a request, in the keys of its environment and of others that it shares them with. */
export const meet = (switches: Switches, shared: Iterable<KeptKeys>, ticket: Ticket, now: number): Verdict => {
  let kept: KeptKey | undefined
  for (const keys of shared) {
    kept = Option.getOrUndefined(HashMap.get(keys, ticket.scoped))
    if (kept !== undefined && isCurrent(switches, kept, now)) break
    kept = undefined
  }
  if (kept === undefined) return { _tag: "Proceed" }
  if (kept._tag === "InFlight") {
    return switches["idempotency.inFlight"] === "apply"
      ? { _tag: "Proceed" }
      : { _tag: "InFlight", millis: kept.at + reservation - now }
  }
  if (kept.body === ticket.body) return { _tag: "Replay", response: restored(kept.response) }
  return switches["idempotency.otherBody"] === "apply" ? { _tag: "Proceed" } : { _tag: "OtherBody" }
}

/** Reserves a key while its request is being processed. */
export const reserve = (keys: KeptKeys, ticket: Ticket, now: number): KeptKeys =>
  HashMap.set(keys, ticket.scoped, { _tag: "InFlight", key: ticket.key, at: now, body: ticket.body })

/** Stores the response for a key, or releases the key if failures are not stored. */
export const settleKey = (
  switches: Switches,
  keys: KeptKeys,
  ticket: Ticket,
  response: WireResponse,
  now: number
): KeptKeys =>
  response.status >= 400 && switches["idempotency.errors"] === "not-cached"
    ? HashMap.remove(keys, ticket.scoped)
    : HashMap.set(keys, ticket.scoped, { _tag: "Finished", at: now, body: ticket.body, response: stored(response) })

/** Headers of the response to a request whose key applies. */
export const echo = (switches: Switches, ticket: Ticket, isReplay: boolean): Readonly<Record<string, string>> =>
  switches["idempotency.echo"] === "absent"
    ? {}
    : { "idempotency-key": ticket.key, ...(isReplay ? { "idempotency-replay": "true" } : {}) }
