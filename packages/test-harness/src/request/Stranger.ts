/**
 * Requests of strangers: without a key, or with one that the fake did not make.
 */
import type { Stranger, StrangersKey } from "../journal/Strangers.ts"
import { type Refusal, refusalAnswer } from "../operations/Operations.ts"
import type { WireAnswer } from "./Delivery.ts"
import type { EnvironmentCore } from "./EnvironmentCore.ts"
import type { FakeRequest } from "./FakeRequest.ts"
import { wireAnswer } from "./Pipeline.ts"
import { routeOf, wrongTurn } from "./Route.ts"

const scheme = "ApiKey"

/** The API key that a request carries. */
export const apiKeyOf = (authorization: string | undefined): string | undefined => {
  const [given, key, ...others] = (authorization ?? "").split(" ")
  return given === scheme && others.length === 0 ? key : undefined
}

const keyProblem = (authorization: string | undefined): StrangersKey => {
  if (authorization === undefined) return "missing"
  return apiKeyOf(authorization) === undefined ? "malformed" : "unknown"
}

const whyTurnedAway = (authorization: string | undefined): string => {
  if (authorization === undefined) return "Missing authorization header"
  const [given = ""] = authorization.split(" ")
  return given === scheme ? "API Key not found" : `Invalid authentication scheme: "${given}"`
}

const refusalOf = ({ switches }: EnvironmentCore, request: FakeRequest): Refusal => {
  // Who is at the wrong door needs no key to be told so.
  if (routeOf(request.method, request.path) === undefined) return wrongTurn(switches, request, undefined)
  const authorization = request.header("authorization")
  return {
    status: Number(switches[authorization === undefined ? "auth.missingKey" : "auth.wrongKey"]),
    message: whyTurnedAway(authorization)
  }
}

/** What a stranger is answered, by the switches of the environment that the fake itself is, and what is noted of it. */
export const turnAway = (
  first: EnvironmentCore,
  request: FakeRequest
): { readonly answer: WireAnswer; readonly noted: Omit<Stranger, "number"> } => {
  const now = first.now()
  const { method, path, surface } = request
  const answer = wireAnswer(refusalAnswer({ switches: first.switches, now, path }, refusalOf(first, request)), now)
  const route = routeOf(method, path)
  const operation = route?._tag === "Route" ? route.operation : undefined
  const key = keyProblem(request.header("authorization"))
  return { answer, noted: { surface, at: now, method, path, operation, key, status: answer.status } }
}
