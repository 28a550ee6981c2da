import { errorResponse, type OperationContext, wireResponse } from "../operations/OperationResponse.ts"
import type { Delivery, WireResponse } from "../wire/Delivery.ts"
import { httpDate } from "../wire/HttpDate.ts"
import { bodyOf, type WireBody } from "../wire/WireBody.ts"

/** Statuses whose responses cannot have a body. */
export const bodilessStatuses: ReadonlySet<number> = new Set([204, 205, 304])

const lowerCase = (headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))

const withBody = (context: OperationContext, status: number, body: unknown): WireResponse => {
  if (bodilessStatuses.has(status)) return wireResponse({ status, body: undefined }, context.now)
  if (body === undefined) {
    return wireResponse(errorResponse(context, { status, message: `fault: status ${status}` }), context.now)
  }
  const response = wireResponse({ status, body }, context.now)
  if (typeof body !== "string") return response
  return {
    ...response,
    headers: { ...response.headers, "content-type": "text/plain; charset=utf-8" },
    body: bodyOf(body)
  }
}

/** The response of a fault: a status, and optionally a body and headers. */
interface StatusParts {
  readonly status: number
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/** A response with a status; without a body it has the environment's own error body. */
export const statusResponse = ({ body, headers, status }: StatusParts, context: OperationContext): WireResponse => {
  const response = withBody(context, status, body)
  return { ...response, headers: { ...response.headers, ...lowerCase(headers ?? {}) } }
}

/** The hints of a rate-limited response about the next request. */
interface RetryHint {
  readonly retryAfterMs: number | "absent"
  readonly as?: "seconds" | "http-date"
}

/** A response 429 with the headers of a rate limit. */
export const rateLimitedResponse = ({ as, retryAfterMs }: RetryHint, context: OperationContext): WireResponse => {
  const hints =
    retryAfterMs === "absent"
      ? {}
      : {
          "retry-after": as === "http-date" ? httpDate(context.now + retryAfterMs) : String(retryAfterMs / 1_000),
          "ratelimit-remaining": "0",
          "ratelimit-reset": String(Math.ceil(retryAfterMs / 1_000))
        }
  return wireResponse(errorResponse(context, { status: 429, message: "API rate limit exceeded" }), context.now, hints)
}

const page = (status: number): string =>
  `<html>\r\n<head><title>${status}</title></head>\r\n<body><center><h1>${status}</h1></center></body>\r\n</html>\r\n`

export const htmlResponse = ({ status }: { readonly status: number }, context: OperationContext): WireResponse => {
  const { headers } = wireResponse({ status, body: undefined }, context.now)
  return {
    status,
    headers: { ...headers, "content-type": "text/html" },
    body: bodilessStatuses.has(status) ? undefined : bodyOf(page(status))
  }
}

export interface WithBody {
  readonly delivery: Exclude<Delivery, { readonly _tag: "NoResponse" }>
  readonly response: WireResponse
  readonly body: WireBody
}

/** Applies a change to a delivery; `undefined` where the delivery has no body or the change does not fit it. */
export const changeBody = (
  delivery: Delivery,
  change: (parts: WithBody) => Delivery | undefined
): Delivery | undefined => {
  if (delivery._tag === "NoResponse" || delivery.response.body === undefined) return undefined
  return change({ delivery, response: delivery.response, body: delivery.response.body })
}

const isJson = ({ headers }: WireResponse): boolean => (headers["content-type"] ?? "").includes("json")

/** Replaces the text of a JSON body; `undefined` where the body is not JSON or the replacement does not fit it. */
export const changeJson = (
  delivery: Delivery,
  replace: (body: string, status: number) => readonly [text: string, effect?: string] | undefined
): Delivery | undefined =>
  changeBody(delivery, ({ body, delivery: intended, response }) => {
    const replaced = isJson(response) ? replace(body.text(), response.status) : undefined
    if (replaced === undefined) return undefined
    const [text, effect] = replaced
    const changed = [response.changed, effect].filter((one) => one !== undefined).join("; ")
    return { ...intended, response: { ...response, body: bodyOf(text), ...(changed === "" ? {} : { changed }) } }
  })
