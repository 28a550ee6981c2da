import type { OperationName } from "../../Operation.ts"
import type { Reason } from "../../Reason.ts"

/**
 * Which failures may be repeated.
 *
 * - `always`: the service has not done the work, or has said that it would not
 * - `when-harmless`: it is not known whether it did; doing it twice must be harmless
 * - `never`: another attempt would fail the same way, or do harm
 */
export type Repeatability = "always" | "when-harmless" | "never"

const transientStatuses = new Set([408, 425, 500, 502, 503, 504])

/** Which failures may be repeated. */
export const repeatabilityOf = (reason: Reason): Repeatability => {
  switch (reason._tag) {
    case "TransportFailure":
      return reason.delivery === "not-sent" ? "always" : "when-harmless"
    case "Timeout":
      return reason.scope === "attempt" ? "when-harmless" : "never"
    case "RateLimited":
    case "RequestInFlight":
      return "always"
    case "ServerFailure":
      return !reason.replayed && transientStatuses.has(reason.status) ? "when-harmless" : "never"
    case "Rejected":
      return transientStatuses.has(reason.status) ? "when-harmless" : "never"
    default:
      return "never"
  }
}

/** What decides whether doing the work twice is harmless. */
export interface Work {
  readonly operation: OperationName
  readonly payload: unknown
  /** Whether the request carries a key that the service is known to honour. */
  readonly hasHonouredKey: boolean
}

/** Whether the payload of a credentials upsert has device tokens, which the service appends. */
const appends = (payload: unknown): boolean => {
  const { deviceTokens } = (payload as { readonly credentials: { readonly deviceTokens?: ReadonlyArray<string> } })
    .credentials
  return deviceTokens !== undefined && deviceTokens.length > 0
}

/**
 * Whether doing the work twice is harmless: a listing changes nothing, a mark set twice is the same mark, and
 * credentials replace each other except device tokens.
 */
export const isHarmlessTwice = ({ hasHonouredKey, operation, payload }: Work): boolean =>
  operation !== "credentials.upsert" || hasHonouredKey || !appends(payload)
