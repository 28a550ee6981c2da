/**
 * Requests that match no environment: without an API key, or with an unknown one.
 */
import type { UnmatchedRequest, KeyProblem } from "../journal/UnmatchedRequests.ts"
import { type Rejection, errorResponse } from "../operations/OperationResponse.ts"
import type { WireResponse } from "./Delivery.ts"
import type { EnvironmentCore } from "./EnvironmentCore.ts"
import type { FakeRequest } from "./FakeRequest.ts"
import { wireResponse } from "./Respond.ts"
import { routeOf, routingError } from "./Route.ts"

const scheme = "ApiKey"

/** The API key that a request carries. */
export const apiKeyOf = (authorization: string | undefined): string | undefined => {
  const [given, key, ...others] = (authorization ?? "").split(" ")
  return given === scheme && others.length === 0 ? key : undefined
}

const keyProblemOf = (authorization: string | undefined): KeyProblem => {
  if (authorization === undefined) return "missing"
  return apiKeyOf(authorization) === undefined ? "malformed" : "unknown"
}

const rejectionMessage = (authorization: string | undefined): string => {
  if (authorization === undefined) return "Missing authorization header"
  const [given = ""] = authorization.split(" ")
  return given === scheme ? "API Key not found" : `Invalid authentication scheme: "${given}"`
}

const rejectionOf = ({ switches }: EnvironmentCore, request: FakeRequest): Rejection => {
  // An unknown path or a wrong method gets the same error with or without a key.
  if (routeOf(request.method, request.path) === undefined) return routingError(switches, request, undefined)
  const authorization = request.header("authorization")
  return {
    status: Number(switches[authorization === undefined ? "auth.missingKey" : "auth.wrongKey"]),
    message: rejectionMessage(authorization)
  }
}

/** The response to an unmatched request, by the switches of the fake's first environment, and the record of it. */
export const rejectUnmatched = (
  first: EnvironmentCore,
  request: FakeRequest
): { readonly response: WireResponse; readonly unmatched: Omit<UnmatchedRequest, "number"> } => {
  const now = first.now()
  const { method, path, surface } = request
  const response = wireResponse(
    errorResponse({ switches: first.switches, now, path }, rejectionOf(first, request)),
    now
  )
  const route = routeOf(method, path)
  const operation = route?._tag === "Route" ? route.operation : undefined
  const key = keyProblemOf(request.header("authorization"))
  return { response, unmatched: { surface, at: now, method, path, operation, key, status: response.status } }
}
