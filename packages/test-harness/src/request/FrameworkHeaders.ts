/**
 * The headers that a web framework adds to every response, and what they make possible: preflights and 304.
 */
import type { OperationResponse } from "../operations/OperationResponse.ts"
import * as Random from "../random/Random.ts"
import type { Switches } from "../switches/Switches.ts"
import type { WireResponse } from "../wire/Delivery.ts"
import type { FakeRequest } from "../wire/FakeRequest.ts"

const everywhere: WireResponse["headers"] = {
  "content-security-policy":
    "default-src 'self';base-uri 'self';font-src 'self' https: data:;form-action 'self';frame-ancestors 'self';img-src 'self' data:;object-src 'none';script-src 'self';script-src-attr 'none';style-src 'self' https: 'unsafe-inline';upgrade-insecure-requests",
  "cross-origin-embedder-policy": "require-corp",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "x-dns-prefetch-control": "off",
  "x-frame-options": "SAMEORIGIN",
  "strict-transport-security": "max-age=15552000; includeSubDomains",
  "x-download-options": "noopen",
  "x-content-type-options": "nosniff",
  "origin-agent-cluster": "?1",
  "x-permitted-cross-domain-policies": "none",
  "referrer-policy": "no-referrer",
  "x-xss-protection": "0",
  "access-control-allow-origin": "*",
  "access-control-allow-credentials": "true"
}

/** The header of responses that may be compressed: of all that are not sent by the parser of bodies. */
export const compressible = (switches: Switches): WireResponse["headers"] =>
  switches["response.headers"] === "plain" ? {} : { vary: "Accept-Encoding" }

/** Whether a request only asks what a page of another origin may send. */
export const isPreflight = (switches: Switches, { method }: FakeRequest): boolean =>
  method === "OPTIONS" && switches["route.options"] === "204"

/** The headers of a request that a page may send; some are named after the vendor. */
const allowedHeaders = (vendor: string): string => {
  const name = vendor.slice(0, 1).toUpperCase() + vendor.slice(1)
  const own = ["Environment-Id", "API-Version", "Client-Version", "User-Agent"].map((rest) => `${name}-${rest}`)
  return ["Authorization", "User-Agent", "Content-Type", "Sentry-Trace", "Baggage", ...own]
    .concat("Bypass-Tunnel-Reminder", "Idempotency-Key", `${name}-Application-Identifier`)
    .join(",")
}

export const preflightResponse = (vendor: string): OperationResponse => ({
  status: 204,
  body: undefined,
  headers: {
    "access-control-allow-methods": "GET,HEAD,POST,PUT,DELETE,PATCH,OPTIONS",
    "access-control-allow-headers": allowedHeaders(vendor),
    "access-control-max-age": "86400",
    "content-length": "0"
  }
})

/** Whether the client has a response already: it named its tag, or any. */
const isKnown = (request: FakeRequest, tag: string): boolean => {
  const known = request.header("if-none-match")
  if (known === undefined || (request.method !== "GET" && request.method !== "HEAD")) return false
  const opaque = tag.replace(/^W\//u, "")
  return known === "*" || known.split(",").some((each) => each.trim().replace(/^W\//u, "") === opaque)
}

const tagged = (request: FakeRequest, wire: WireResponse): WireResponse => {
  if (wire.body === undefined) return wire
  const etag = `W/"${wire.body.length.toString(16)}-${Random.digest(wire.body.text())}"`
  const { headers, status } = wire
  if (status !== 200 || !isKnown(request, etag)) return { ...wire, headers: { ...headers, etag } }
  const { "content-type": _type, vary: _vary, ...others } = headers
  return { status: 304, headers: { ...others, etag }, body: undefined }
}

/** A response as the framework of the service sends it, according to the switches. */
export const asFrameworkSends = (switches: Switches, request: FakeRequest, wire: WireResponse): WireResponse => {
  const sent = switches["response.etag"] === "absent" ? wire : tagged(request, wire)
  return switches["response.headers"] === "plain" ? sent : { ...sent, headers: { ...everywhere, ...sent.headers } }
}
