/**
 * Runs an operation in an environment, with the vendor's identifiers.
 */
import type { OperationName } from "@signalbox/core/Operations"
import * as Vendor from "@signalbox/core/Vendor"
import {
  type OperationResponse,
  listEvents,
  markMessagesAs,
  type OperationContext,
  type OperationResult,
  upsertCredentials
} from "../operations/Operations.ts"
import type { EnvironmentCore } from "./EnvironmentCore.ts"
import type { Route } from "./Route.ts"

const operate = (
  state: ReturnType<EnvironmentCore["state"]>,
  context: OperationContext,
  route: Route,
  query: string,
  body: unknown
): OperationResult => {
  switch (route.operation) {
    case "credentials.upsert":
      return upsertCredentials(state, context, route.subscriberId, body)
    case "messages.markAs":
      return markMessagesAs(state, context, route.subscriberId, body)
    case "events.list":
      return listEvents(state, context, new URLSearchParams(query))
  }
}

const isEnveloped = (body: unknown): body is { readonly data: unknown } =>
  typeof body === "object" && body !== null && Object.keys(body).join() === "data"

const inWordsOf = (
  vendor: string,
  operation: OperationName,
  { body, ...response }: OperationResponse
): OperationResponse => ({
  ...response,
  body: isEnveloped(body)
    ? { data: Vendor.responseToWire(operation, vendor, body.data) }
    : Vendor.responseToWire(operation, vendor, body)
})

/** Runs the operation of a request; the new state is not stored yet. */
export const carryOut = (
  core: EnvironmentCore,
  context: OperationContext,
  route: Route,
  query: string,
  body: unknown
): OperationResult => {
  const { vendor } = core
  if (vendor === Vendor.neutral) return operate(core.state(), context, route, query, body)
  const understood = Vendor.requestFromWire(route.operation, vendor, body)
  const { response, state } = operate(core.state(), context, route, query, understood)
  return { state, response: response.status < 400 ? inWordsOf(vendor, route.operation, response) : response }
}
