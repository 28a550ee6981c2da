/**
 * The rotation of an API key: the service stops accepting the first key, and the caller's key function returns another
 * one, each at its own request.
 */
import type { JournalEntry } from "@signalbox/test-harness"
import type { KeyRotation, PromiseScenario } from "./PromiseScenario.ts"

/** The keys of the caller, in order. They look different in a URL, so that encoded forms are checked, too. */
export const rotatedKeys = ["first/key+of=the-caller", "second/key+of=the-caller"] as const

/** A request whose key the service rejected. */
export interface RejectedRequest {
  readonly at: number
  /** The call: its idempotency key, or the URL of a request without one. */
  readonly call: string
  /** Path and query. */
  readonly path: string
}

/** The keys as the service and the caller saw them. */
export interface ObservedKeys {
  readonly rejected: ReadonlyArray<RejectedRequest>
  /** Calls that sent different keys. */
  readonly mixed: number
  /** Calls that started to send the first key although the key function had returned the second one for long. */
  readonly outdated: number
}

/** The observation of a program whose key never changes. */
export const sameKey: ObservedKeys = { rejected: [], mixed: 0, outdated: 0 }

interface RotatingKeys {
  /** The key function of the client. */
  readonly apiKey: () => string
  /** The service, which knows the caller by the keys that it accepts now. */
  readonly fetch: typeof globalThis.fetch
  readonly observed: () => ObservedKeys
}

const maxRetries = 2

/** A service that repeats what it received, also the rejected key. */
const rejection = (key: string): Response =>
  new Response(
    JSON.stringify({ statusCode: 401, message: `API key ${key} was revoked`, error: encodeURIComponent(key) }),
    {
      status: 401,
      headers: { "content-type": "application/json", "x-request-id": `rejected-${key}`, "x-api-key": key }
    }
  )

/** Makes the keys of a scenario. */
export const rotateKeys = (
  { concurrency = 4, count, work }: PromiseScenario,
  { revokedFrom, rotatesFrom }: KeyRotation,
  service: { readonly fetch: typeof globalThis.fetch; readonly apiKey: string }
): RotatingKeys => {
  const [first, second] = rotatedKeys
  const rejected: Array<RejectedRequest> = []
  const keysOfCalls = new Map<string, string>()
  let requests = 0
  let mixed = 0
  let outdated = 0
  // Calls in flight read their key before it changed. Of listings with the same URL, each request counts as a call.
  let mayBeOutdated = work === "calls" ? count : concurrency + (work === "lists" ? maxRetries : 0)
  const isRotated = () => rotatesFrom > 0 && requests >= rotatesFrom

  const note = (call: string, key: string): void => {
    const known = keysOfCalls.get(call)
    if (known !== undefined && known !== key) mixed += 1
    if (known === undefined && key === first && isRotated() && --mayBeOutdated < 0) outdated += 1
    keysOfCalls.set(call, key)
  }

  return {
    apiKey: () => (isRotated() ? second : first),
    fetch: async (input, init) => {
      const headers = new Headers(init?.headers)
      const key = headers.get("authorization")?.replace(/^ApiKey /u, "") ?? ""
      const { pathname, search } = new URL(String(input))
      requests += 1
      const call = headers.get("idempotency-key") ?? (work === "lists" ? `listing ${requests}` : pathname + search)
      note(call, key)
      if (key === first && requests >= revokedFrom) {
        rejected.push({ at: Date.now(), call, path: pathname })
        return rejection(key)
      }
      headers.set("authorization", `ApiKey ${service.apiKey}`)
      return service.fetch(input, { ...init, headers })
    },
    observed: () => ({ rejected, mixed, outdated })
  }
}

/** Whether a request is of a subscriber. */
export const isOf = (subscriberId: string, { path }: RejectedRequest | JournalEntry): boolean =>
  path.includes(`/${subscriberId}/`)
