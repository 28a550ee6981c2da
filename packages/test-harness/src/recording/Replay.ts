/**
 * Finds the responses of a recording to requests.
 */
import { canonical } from "../request/Idempotency.ts"
import {
  isRejectedKey,
  type RecordedExchange,
  type Recording,
  redactionOf,
  requestWithoutSecrets
} from "./Recording.ts"
import type { SentExchange } from "./Recording.ts"

type Parts = Pick<RecordedExchange, "method" | "target" | "body">

type Request = Pick<SentExchange, "method" | "authorization" | "body" | "target">

/** The path of a request, and the values of each of its query parameters, whose names have no order. */
const partsOf = (target: string): { readonly path: string; readonly query: ReadonlyMap<string, string> } => {
  const [path = "", query = ""] = target.split(/\?(.*)/su)
  const parameters = new URLSearchParams(query)
  const names = [...new Set(parameters.keys())].toSorted()
  return { path, query: new Map(names.map((name) => [name, JSON.stringify(parameters.getAll(name))])) }
}

/** Equal for equal requests. */
const printOf = ({ body, method, target }: Parts): string => {
  const { path, query } = partsOf(target)
  return JSON.stringify([method, path, [...query], canonical(body)])
}

/** Those of some exchanges that fit, or all of them if none does. */
const preferred = (
  exchanges: ReadonlyArray<RecordedExchange>,
  fits: (exchange: RecordedExchange) => boolean
): ReadonlyArray<RecordedExchange> => (exchanges.some(fits) ? exchanges.filter(fits) : exchanges)

/** The recorded request for the same method and path with the fewest other query parameters. */
const nearestTo = ({ method, target }: Parts, exchanges: ReadonlyArray<RecordedExchange>): string => {
  const { path, query } = partsOf(target)
  const [near] = exchanges
    .filter((exchange) => exchange.method === method)
    .map(({ target: recorded }) => ({ recorded, parts: partsOf(recorded) }))
    .filter(({ parts }) => parts.path === path)
    .map(({ parts, recorded }) => {
      const names = new Set([...query.keys(), ...parts.query.keys()])
      return { recorded, differences: [...names].filter((name) => query.get(name) !== parts.query.get(name)).length }
    })
    .toSorted((one, other) => one.differences - other.differences)
  if (near === undefined) return ""
  return near.differences === 0
    ? "; it has one to another body"
    : `; the nearest that it has is ${method} ${near.recorded}`
}

/**
 * Finds the response of a recording: the next one for an equal request, and the last one again after that. The response to a
 * rejected key counts only where the recording has no other to this request.
 *
 * @throws RangeError if the recording has no equal request.
 */
export const makeReplay = ({ exchanges }: Recording): ((request: Request) => RecordedExchange) => {
  const used = new Map<string, number>()
  const byRequest = new Map<string, Array<RecordedExchange>>()
  for (const exchange of exchanges) {
    const print = printOf(exchange)
    byRequest.set(print, [...(byRequest.get(print) ?? []), exchange])
  }
  return (request) => {
    const parts = { method: request.method, ...requestWithoutSecrets(request, redactionOf(request)) }
    const hasKey = request.authorization !== undefined
    const print = printOf(parts)
    const withSameKey = preferred(byRequest.get(print) ?? [], (exchange) => exchange.hasKey === hasKey)
    const responses = preferred(withSameKey, ({ status }) => !hasKey || !isRejectedKey(status))
    const place = `${hasKey} ${print}`
    const count = used.get(place) ?? 0
    used.set(place, count + 1)
    const found = responses[Math.min(count, responses.length - 1)]
    if (found !== undefined) return found
    const { method, target } = parts
    throw new RangeError(`the recording has no response to ${method} ${target}${nearestTo(parts, exchanges)}`)
  }
}
