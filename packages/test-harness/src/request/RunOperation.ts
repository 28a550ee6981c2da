import { isOperationName, type OperationName, positions } from "@signalbox/core/Operations"
import * as Vendor from "@signalbox/core/Vendor"
import { handlers } from "../operations/Handlers.ts"
import type { OperationResponse, OperationContext, OperationResult } from "../operations/OperationResponse.ts"
import type { EnvironmentState } from "../state/EnvironmentState.ts"
import { partsOf, runDeclared } from "./DeclaredRoute.ts"
import type { EnvironmentCore } from "./EnvironmentCore.ts"
import type { Route } from "./Route.ts"

const isEnveloped = (body: unknown): body is { readonly data: unknown } =>
  typeof body === "object" && body !== null && Object.keys(body).join() === "data"

const inWordsOf = (
  vendor: string,
  operation: OperationName,
  { body, encoded: _inWordsOfTheDocument, ...response }: OperationResponse
): OperationResponse => ({
  ...response,
  body: isEnveloped(body)
    ? { data: Vendor.responseToWire(positions[operation], vendor, body.data) }
    : Vendor.responseToWire(positions[operation], vendor, body)
})

/** Runs the operation of a request; the new state is not stored yet. */
export const carryOut = (
  core: EnvironmentCore,
  context: OperationContext,
  route: Route,
  query: string,
  body: unknown,
  seen?: EnvironmentState
): OperationResult => {
  const { declared, operation } = route
  if (declared !== undefined) {
    return runDeclared(declared, partsOf(declared, route.parameters, query, body), core.state(), context)
  }
  if (!isOperationName(operation)) throw new Error(`no handler for ${operation}`)
  const vendor = core.vendor()
  const operate = handlers[operation]
  const { parameters } = route
  if (vendor === Vendor.neutral) return operate(core.state(), context, { parameters, query, body, seen })
  const neutral = Vendor.requestFromWire(positions[operation], vendor, body)
  const { reread, response, state } = operate(core.state(), context, { parameters, query, body: neutral, seen })
  if (response.status >= 400) return { state, response }
  const inWords = (answer: OperationResponse) => inWordsOf(vendor, operation, answer)
  return { state, response: inWords(response), ...(reread && { reread: (later) => inWords(reread(later)) }) }
}
