/**
 * The target of a check: a client, behind a function that makes one call and reports its outcome.
 */
import type { CallResult } from "./CallResult.ts"
import { type CheckedCall, requestOf } from "./CheckedCall.ts"
import { isDefinite } from "../verdicts/Conclusion.ts"

/** A call with its deadline, in milliseconds after it starts. */
export type CallToMake = CheckedCall & { readonly deadlineMs: number }

/** Makes one call. An error that it throws counts as an unknown outcome. */
export type MakeCall = (call: CallToMake) => Promise<CallResult>

/** The service that a client connects to. */
export interface CheckedService {
  readonly baseUrl: string
  readonly apiKey: string
  /** The vendor in wire identifiers. */
  readonly vendor: string
  /** Sends requests to the service. */
  readonly fetch: typeof globalThis.fetch
}

/** Makes a client of the service: one for each program. */
export type MakeClient = (service: CheckedService) => MakeCall

/** A client, or a function that adds retries and timeouts to `fetch`. */
export type CheckTarget =
  | MakeClient
  | { readonly wrapFetch: (fetch: typeof globalThis.fetch) => typeof globalThis.fetch }

const idsIn = (body: unknown): ReadonlyArray<string> | undefined => {
  if (typeof body !== "object" || body === null || !("data" in body)) return undefined
  const { data } = body
  if (!Array.isArray(data)) return idsIn(data)
  return data.map((record: unknown) => String(Reflect.get(Object(record), "_id")))
}

/** Calls over a wrapped `fetch`, each with one idempotency key and its deadline as a signal. */
const overFetch =
  (wrap: (fetch: typeof globalThis.fetch) => typeof globalThis.fetch): MakeClient =>
  ({ apiKey, baseUrl, fetch }) => {
    const sent = new Map<string | null, number>()
    const wrapped = wrap((input, init) => {
      const { headers } = input instanceof Request ? input : { headers: new Headers(init?.headers) }
      const key = headers.get("idempotency-key")
      sent.set(key, (sent.get(key) ?? 0) + 1)
      return fetch(input, init)
    })
    let calls = 0
    return async ({ deadlineMs, ...call }) => {
      const { body, method, target } = requestOf(call)
      calls += 1
      const key = `call-${calls}`
      const response = await wrapped(baseUrl + target, {
        method,
        headers: {
          authorization: `ApiKey ${apiKey}`,
          "idempotency-key": key,
          ...(body === undefined ? {} : { "content-type": "application/json" })
        },
        ...(body === undefined ? {} : { body }),
        signal: AbortSignal.timeout(deadlineMs)
      })
      const text = await response.text()
      // After other attempts, a rejection does not say that none of them was applied.
      if (!response.ok) return { outcome: isDefinite(response.status) && sent.get(key) === 1 ? "failed" : "unknown" }
      const ids = idsIn(JSON.parse(text))
      return { outcome: "ok", ...(ids === undefined ? {} : { ids }) }
    }
  }

export const clientOf = (target: CheckTarget): MakeClient =>
  typeof target === "function" ? target : overFetch(target.wrapFetch)
