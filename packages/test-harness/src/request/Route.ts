import { type AnyOperationName, operationNames, operations } from "@signalbox/core/Operations"
import type { Rejection } from "../operations/OperationResponse.ts"
import type { Switches } from "../switches/Switches.ts"
import type { FakeRequest } from "../wire/FakeRequest.ts"
import type { DeclaredRoute } from "./DeclaredRoute.ts"

/** The operation that a request is for, with its path parameters. */
export interface Route {
  readonly _tag: "Route"
  readonly operation: AnyOperationName
  /** The declaration and handler of an operation that a test declared. */
  readonly declared?: DeclaredRoute
  /** The path parameters by name, decoded; empty for operations without any. */
  readonly parameters: { readonly [name: string]: string }
}

/** The path of an operation, requested with the wrong method. */
export interface WrongMethod {
  readonly _tag: "WrongMethod"
  readonly allowed: string
}

/** A path whose percent-encoding is invalid. */
export interface BadPath {
  readonly _tag: "BadPath"
}

/** Where a request leads; `undefined` when no operation has its path. */
export type Destination = Route | WrongMethod | BadPath | undefined

type RouteSwitches = Pick<Switches, "route.path" | "route.badPath" | "route.head">

interface Pattern {
  readonly method: string
  readonly name: AnyOperationName
  readonly segments: ReadonlyArray<string>
  readonly declared?: DeclaredRoute
}

const patterns: ReadonlyArray<Pattern> = operationNames.map((name) => {
  const { method, path } = operations[name]
  return { method, name, segments: path.split("/") }
})

const patternOf = (declared: DeclaredRoute): Pattern => {
  const { method, name, path } = declared.operation
  return { method, name, segments: path.split("/"), declared }
}

/** The operations that a test declared, which take precedence. */
export type DeclaredRoutes = () => ReadonlyArray<DeclaredRoute>

const decoded = (segment: string): string | undefined => {
  try {
    return decodeURIComponent(segment)
  } catch {
    return undefined
  }
}

const parametersOf = (
  pattern: ReadonlyArray<string>,
  given: ReadonlyArray<string>,
  isSame: (literal: string, segment: string) => boolean
): Route["parameters"] | undefined => {
  if (pattern.length !== given.length) return undefined
  const isMatch = pattern.every((segment, index) => segment.startsWith(":") || isSame(segment, given[index] ?? ""))
  if (!isMatch) return undefined
  const parameters: Record<string, string> = {}
  for (let index = 0; index < pattern.length; index += 1) {
    const segment = pattern[index] ?? ""
    if (!segment.startsWith(":")) continue
    const parameter = decoded(given[index] ?? "")
    if (parameter === undefined || parameter === "") return undefined
    parameters[segment.slice(1)] = parameter
  }
  return parameters
}

const isEqual = (literal: string, segment: string): boolean => literal === segment

const isEqualInAnyCase = (literal: string, segment: string): boolean => literal === segment.toLowerCase()

/** Finds the operation of a request. */
export const routeOf = (
  switches: RouteSwitches,
  method: string,
  path: string,
  declaredRoutes: DeclaredRoutes = () => []
): Destination => {
  if (switches["route.badPath"] === "400" && path.includes("%") && decoded(path) === undefined) {
    return { _tag: "BadPath" }
  }
  const isLenient = switches["route.path"] === "lenient"
  const given = (isLenient && path.endsWith("/") ? path.slice(0, -1) : path).split("/")
  const asked = method === "HEAD" && switches["route.head"] === "as-get" ? "GET" : method
  let wrong: WrongMethod | undefined
  const own = declaredRoutes()
  for (const { declared, method: wanted, name, segments } of own.length === 0
    ? patterns
    : [...own.map(patternOf), ...patterns]) {
    const parameters = parametersOf(segments, given, isLenient ? isEqualInAnyCase : isEqual)
    if (parameters === undefined) continue
    if (wanted === asked) return { _tag: "Route", operation: name, parameters, ...(declared && { declared }) }
    wrong = { _tag: "WrongMethod", allowed: wanted }
  }
  return wrong
}

const documented = Object.values(operations).map(({ method, path }) => `${method} ${path}`)

/** The response header with the routes that the fake has. */
const expectedHeader = "x-fake-expected"

/** The error response to a request that matches no operation. */
export const routingError = (
  switches: Switches,
  { method, path, query }: Pick<FakeRequest, "method" | "path" | "query">,
  destination: Exclude<Destination, Route>,
  declaredRoutes: DeclaredRoutes = () => []
): Rejection => {
  if (destination?._tag === "BadPath") {
    return { status: 400, message: `Failed to decode param '${path.slice(1)}'` }
  }
  const found = `Cannot ${method} ${path}${query === "" ? "" : `?${query}`}`
  const own = declaredRoutes().map(({ operation }) => `${operation.method} ${operation.path}`)
  const expected = [...new Set([...documented, ...own])].join(", ")
  const message = `Cannot ${method} ${path}; add it with fake.route or POST /_fake/routes; expected one of: ${expected}`
  const observed = switches["error.body"] === "observed" ? { [expectedHeader]: expected } : {}
  const status = destination === undefined ? 404 : Number(switches["route.wrongMethod"])
  const allow = destination !== undefined && status === 405 ? { allow: destination.allowed } : {}
  return { status, message, observedMessage: found, headers: { ...observed, ...allow } }
}
