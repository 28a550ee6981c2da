/**
 * The rate limit that responses state.
 */
import type { RateLimitSnapshot } from "@signalbox/core/CallInfo"

/** Requests that the service allows in a time. */
export interface StatedLimit {
  readonly limit: number
  readonly windowMs: number
}

const policyWindow = /(?:^|;)\s*w=(\d+)/

/** The limit that a response states: the window by its policy, otherwise by the time to the reset. */
export const limitOf = (
  { limit, observedAt, policy, resetAt }: RateLimitSnapshot,
  known: { readonly windowMs: number } | undefined
): StatedLimit | undefined => {
  if (limit === undefined || limit < 1) return undefined
  const stated = Number(policyWindow.exec(policy ?? "")?.[1] ?? 0) * 1000
  if (stated > 0) return { limit, windowMs: stated }
  // A window that has begun already looks shorter than it is.
  const rest = resetAt === undefined ? 0 : resetAt - observedAt
  return { limit, windowMs: Math.max(1000, rest, known?.windowMs ?? 0) }
}
