/**
 * Which operation a request is for.
 */
import { CredentialsUpsert } from "@signalbox/core/operation/CredentialsUpsert"
import { EventsList } from "@signalbox/core/operation/EventsList"
import { MessagesMarkAs } from "@signalbox/core/operation/MessagesMarkAs"
import type { Rejection } from "../operations/Operations.ts"
import type { Switches } from "../switches/Switches.ts"
import type { FakeRequest } from "./FakeRequest.ts"

const operations = [CredentialsUpsert, MessagesMarkAs, EventsList] as const

/** The operation that a request is for, with its path parameters. */
export interface Route {
  readonly _tag: "Route"
  readonly operation: (typeof operations)[number]["name"]
  /** Empty for operations without one. */
  readonly subscriberId: string
}

/** A path that an operation has, asked with another method. */
export interface WrongMethod {
  readonly _tag: "WrongMethod"
  readonly allowed: string
}

const segmentsOf = (path: string): ReadonlyArray<string> => path.split("/").filter((segment) => segment !== "")

const patterns = operations.map(({ method, name, path }) => ({ method, name, segments: segmentsOf(path) }))

const decoded = (segment: string): string | undefined => {
  try {
    return decodeURIComponent(segment)
  } catch {
    return undefined
  }
}

const parametersOf = (
  pattern: ReadonlyArray<string>,
  given: ReadonlyArray<string>
): ReadonlyArray<string> | undefined => {
  if (pattern.length !== given.length) return undefined
  const parameters: Array<string> = []
  for (const [index, segment] of pattern.entries()) {
    const value = given[index] ?? ""
    if (!segment.startsWith(":")) {
      if (segment !== value) return undefined
      continue
    }
    const parameter = decoded(value)
    if (parameter === undefined) return undefined
    parameters.push(parameter)
  }
  return parameters
}

/** Finds the operation of a request; `undefined` when no operation has this path. */
export const routeOf = (method: string, path: string): Route | WrongMethod | undefined => {
  const given = segmentsOf(path)
  let wrong: WrongMethod | undefined
  for (const { method: wanted, name, segments } of patterns) {
    const parameters = parametersOf(segments, given)
    if (parameters === undefined) continue
    if (wanted === method) return { _tag: "Route", operation: name, subscriberId: parameters[0] ?? "" }
    wrong = { _tag: "WrongMethod", allowed: wanted }
  }
  return wrong
}

const pairsOf = (text: string): ReadonlySet<string> =>
  new Set(Array.from({ length: text.length - 1 }, (_, at) => text.slice(at, at + 2)))

/** How alike two texts are, from 0 to 1, by the pairs of letters that they share. */
const likeness = (one: string, other: string): number => {
  const [pairs, others] = [pairsOf(one), pairsOf(other)]
  const shared = [...pairs].filter((pair) => others.has(pair)).length
  return (2 * shared) / (pairs.size + others.size)
}

/** The operation that a request looks like, else all of them. */
export const suggestion = (method: string, path: string): string => {
  const asked = `${method} ${path}`
  const documented = operations
    .map((operation) => `${operation.method} ${operation.path}`)
    .map((line) => ({ line, likeness: likeness(asked, line.replaceAll(/:\w+/gu, "")) }))
    .toSorted((one, other) => other.likeness - one.likeness)
  const [nearest] = documented
  return nearest !== undefined && nearest.likeness > 0.5
    ? `did you mean ${nearest.line}?`
    : `there is ${documented.map(({ line }) => line).join(", ")}`
}

/** What those are outcome who took a wrong turn. */
export const routingError = (
  switches: Switches,
  { method, path }: Pick<FakeRequest, "method" | "path">,
  route: WrongMethod | undefined
): Rejection => {
  const message = `Cannot ${method} ${path}; ${suggestion(method, path)}`
  if (route === undefined) return { status: 404, message }
  const status = Number(switches["route.wrongMethod"])
  return { status, message, ...(status === 405 ? { headers: { allow: route.allowed } } : {}) }
}
