import { isOperationName, type OperationName, positions } from "@signalbox/core/Operations"
import * as Vendor from "@signalbox/core/Vendor"
import { upsertCredentials } from "../operations/CredentialsUpsert.ts"
import { listEvents } from "../operations/EventsList.ts"
import { markMessagesAs } from "../operations/MessagesMarkAs.ts"
import type { OperationResponse, OperationContext, OperationResult } from "../operations/OperationResponse.ts"
import type { EnvironmentState } from "../state/EnvironmentState.ts"
import { partsOf, runDeclared } from "./DeclaredRoute.ts"
import type { EnvironmentCore } from "./EnvironmentCore.ts"
import type { Route } from "./Route.ts"

/** The route, query and JSON body of a request, in the neutral vendor's identifiers. */
interface OperationRequest {
  readonly route: Route
  readonly query: string
  readonly body: unknown
  /** The state that the operation reads, where it is older than the one that it changes. */
  readonly seen?: EnvironmentState | undefined
}

type Operate = (state: EnvironmentState, context: OperationContext, request: OperationRequest) => OperationResult

const subscriberIn = ({ parameters }: Route): string => parameters["subscriberId"] ?? ""

/** The handler of each operation. A new operation without a handler does not compile. */
const operate: { readonly [Name in OperationName]: Operate } = {
  "credentials.upsert": (state, context, { body, route, seen }) =>
    upsertCredentials(state, context, subscriberIn(route), body, seen),
  "messages.markAs": (state, context, { body, route }) => markMessagesAs(state, context, subscriberIn(route), body),
  "events.list": (state, context, { query }) => listEvents(state, context, query)
}

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
  const run = operate[operation]
  if (vendor === Vendor.neutral) return run(core.state(), context, { route, query, body, seen })
  const neutral = Vendor.requestFromWire(positions[operation], vendor, body)
  const { reread, response, state } = run(core.state(), context, { route, query, body: neutral, seen })
  if (response.status >= 400) return { state, response }
  const inWords = (answer: OperationResponse) => inWordsOf(vendor, operation, answer)
  return { state, response: inWords(response), ...(reread && { reread: (later) => inWords(reread(later)) }) }
}
