/**
 * Requests that match no environment: without an API key, or with an unknown one.
 */
import { makeRedaction } from "@signalbox/core/Redaction"
import type { UnmatchedRequest, KeyProblem } from "../journal/UnmatchedRequests.ts"
import { errorResponse, type OperationResponse, type Rejection, wireResponse } from "../operations/OperationResponse.ts"
import type { WireResponse } from "../wire/Delivery.ts"
import type { EnvironmentCore } from "./EnvironmentCore.ts"
import type { FakeRequest } from "../wire/FakeRequest.ts"
import { asFrameworkSends, compressible, isPreflight, preflightResponse } from "./FrameworkHeaders.ts"
import { readBodyFirst } from "./RequestBody.ts"
import { type Destination, routeOf, routingError } from "./Route.ts"

const scheme = "ApiKey"

export const apiKeyOf = (authorization: string | undefined): string | undefined => {
  const [given, key, ...others] = (authorization ?? "").split(" ")
  return given === scheme && others.length === 0 ? key : undefined
}

const keyProblemOf = (authorization: string | undefined): KeyProblem => {
  if (authorization === undefined) return "missing"
  return apiKeyOf(authorization) === undefined ? "malformed" : "unknown"
}

const rejectionMessage = (authorization: string | undefined): Pick<Rejection, "message" | "observedMessage"> => {
  // An empty header is no header for the observed service.
  if (authorization === undefined || authorization === "") return { message: "Missing authorization header" }
  const [given = "", ...rest] = authorization.split(" ")
  if (given === scheme) {
    return { message: "API Key not found", ...(rest.length === 0 ? { observedMessage: "Unauthorized" } : {}) }
  }
  // The observed service takes bearer tokens, too, and does not say what is wrong with one.
  const isBearer = given === "Bearer"
  return {
    message: `Invalid authentication scheme: "${given}"`,
    ...(isBearer ? { observedMessage: "Unauthorized" } : {})
  }
}

const keyRejection = ({ switches }: EnvironmentCore, authorization: string | undefined): Rejection => ({
  status: Number(switches[authorization === undefined ? "auth.missingKey" : "auth.wrongKey"]),
  ...rejectionMessage(authorization)
})

const responseTo = (core: EnvironmentCore, request: FakeRequest, destination: Destination): OperationResponse => {
  const { switches } = core
  if (isPreflight(switches, request)) return preflightResponse(core.vendor())
  const path = request.query === "" ? request.path : `${request.path}?${request.query}`
  const context = { switches, now: core.now(), path }
  const body = readBodyFirst(switches, request)
  if (body !== undefined && !("_tag" in body)) return errorResponse(context, body)
  // An unknown path gets the same error with or without a key, as does a wrong method if the key comes last.
  const needsKey =
    destination?._tag === "Route" || (destination?._tag === "WrongMethod" && switches["request.order"] === "key-first")
  const rejection = needsKey
    ? keyRejection(core, request.header("authorization"))
    : routingError(switches, request, destination)
  const { headers, ...response } = errorResponse(context, rejection)
  return { ...response, headers: { ...compressible(switches), ...headers } }
}

/** The response to an unmatched request, by the switches of an environment, and the record of it. */
export const rejectUnmatched = (
  core: EnvironmentCore,
  request: FakeRequest
): { readonly response: WireResponse; readonly unmatched: Omit<UnmatchedRequest, "number"> } => {
  const now = core.now()
  const { method, path, surface } = request
  const destination = routeOf(core.switches, method, path)
  const wire = wireResponse(responseTo(core, request, destination), now)
  const response = asFrameworkSends(core.switches, request, wire)
  const operation = destination?._tag === "Route" ? destination.operation : undefined
  const authorization = request.header("authorization")
  const shown = makeRedaction(authorization?.split(" ") ?? []).exact(path)
  const key = keyProblemOf(authorization)
  return { response, unmatched: { surface, at: now, method, path: shown, operation, key, status: response.status } }
}
