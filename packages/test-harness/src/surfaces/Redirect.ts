/**
 * Follows redirects as `fetch` does, without a socket.
 */
import type { WireResponse } from "../wire/Delivery.ts"
import type { FakeRequest } from "../wire/FakeRequest.ts"

export interface Located {
  readonly request: FakeRequest
  readonly url: URL
  /** How often it was redirected so far. */
  readonly hops: number
}

/** How a client handles redirects, as in `fetch`. */
export type RedirectMode = "follow" | "error" | "manual"

/** The maximum number of redirects that `fetch` follows. */
const mostHops = 20

const statuses: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

const losesBody = (status: number, method: string): boolean =>
  (status === 303 && method !== "GET" && method !== "HEAD") || ((status === 301 || status === 302) && method === "POST")

const ofBody = ["content-encoding", "content-language", "content-location", "content-type", "content-length"]
const ofOrigin = ["authorization", "proxy-authorization", "cookie", "host"]

const sentOn = ({ hops, request, url }: Located, status: number, next: URL): Located => {
  const isBare = losesBody(status, request.method)
  const dropped = new Set([...(isBare ? ofBody : []), ...(next.origin === url.origin ? [] : ofOrigin)])
  return {
    url: next,
    hops: hops + 1,
    request: {
      ...request,
      method: isBare ? "GET" : request.method,
      path: next.pathname,
      query: next.search.slice(1),
      header: (name) => (dropped.has(name) ? undefined : request.header(name)),
      headers: () => [...request.headers()].filter(([name]) => !dropped.has(name)),
      body: isBare ? "" : request.body
    }
  }
}

const failed = (cause: unknown): TypeError => new TypeError("fetch failed", { cause })

/** The URL of a location, or the error of the platform if it is invalid. */
const resolved = (location: string, from: URL): URL | TypeError => {
  try {
    return new URL(location, from)
  } catch (error) {
    return failed(error)
  }
}

/** Why `fetch` does not follow a redirect to a URL, with its messages and in its order. */
const rejectionOf = ({ hops, url }: Located, next: URL): string | undefined => {
  if (next.protocol !== "http:" && next.protocol !== "https:") return "URL scheme must be a HTTP(S) scheme"
  if (hops >= mostHops) return "redirect count exceeded"
  const hasCredentials = next.username !== "" || next.password !== ""
  return hasCredentials && next.origin !== url.origin ? 'cross origin not allowed for request mode "cors"' : undefined
}

/** The next request after a response, the error if redirects are not allowed, or `undefined` if it is not a redirect. */
export const redirected = (
  sent: Located,
  { headers, status }: WireResponse,
  mode: RedirectMode
): Located | TypeError | undefined => {
  const location = headers["location"]
  if (mode === "manual" || location === undefined || !statuses.has(status)) return undefined
  if (mode === "error") return failed(new Error("unexpected redirect"))
  const next = resolved(location, sent.url)
  if (next instanceof TypeError) return next
  const refusal = rejectionOf(sent, next)
  return refusal === undefined ? sentOn(sent, status, next) : failed(new Error(refusal))
}
