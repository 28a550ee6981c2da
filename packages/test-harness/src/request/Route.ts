/**
 * Routes requests to operations.
 */
import { type OperationName, operationNames, operations } from "@signalbox/core/Operations"
import type { Rejection } from "../operations/OperationResponse.ts"
import type { Switches } from "../switches/Switches.ts"
import type { FakeRequest } from "./FakeRequest.ts"

/** The operation that a request is for, with its path parameters. */
export interface Route {
  readonly _tag: "Route"
  readonly operation: OperationName
  /** Empty for operations without one. */
  readonly subscriberId: string
}

/** The path of an operation, requested with the wrong method. */
export interface WrongMethod {
  readonly _tag: "WrongMethod"
  readonly allowed: string
}

const segmentsOf = (path: string): ReadonlyArray<string> => path.split("/").filter((segment) => segment !== "")

const patterns = operationNames.map((name) => {
  const { method, path } = operations[name]
  return { method, name, segments: segmentsOf(path) }
})

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

const documented = Object.values(operations)
  .map(({ method, path }) => `${method} ${path}`)
  .join(", ")

/** The error response to a request that matches no operation. */
export const routingError = (
  switches: Switches,
  { method, path }: Pick<FakeRequest, "method" | "path">,
  route: WrongMethod | undefined
): Rejection => {
  const message = `Cannot ${method} ${path}; expected one of: ${documented}`
  if (route === undefined) return { status: 404, message }
  const status = Number(switches["route.wrongMethod"])
  return { status, message, ...(status === 405 ? { headers: { allow: route.allowed } } : {}) }
}
