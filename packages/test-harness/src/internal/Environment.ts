import {
  type Answer,
  listEvents,
  markMessagesAs,
  type OperationContext,
  type Outcome,
  refusalAnswer,
  upsertCredentials
} from "../operations/Operations.ts"
import type { EnvironmentState } from "../state/EnvironmentState.ts"
import type { Switches } from "../switches/Switches.ts"
import { settle } from "../trigger/Settle.ts"
import { documentedRoutes, type Route, routeOf } from "./Routes.ts"

/** A request as every surface hands it over. */
export interface FakeRequest {
  readonly method: string
  readonly url: URL
  readonly headers: Headers
  readonly body: string
}

/** What one API key stands for: a state value that requests replace. */
export interface Environment {
  readonly switches: Switches
  readonly now: () => number
  readonly handle: (request: FakeRequest) => Answer
  readonly state: () => EnvironmentState
  /** Replaces the state by what a function makes of it, and gives what the function gives beside it. */
  readonly modify: <A extends { readonly state: EnvironmentState }>(change: (state: EnvironmentState) => A) => A
}

const parse = (text: string): { readonly value: unknown } | undefined => {
  try {
    return { value: JSON.parse(text) as unknown }
  } catch {
    return undefined
  }
}

const carryOut = (state: EnvironmentState, context: OperationContext, route: Route, request: FakeRequest): Outcome => {
  if (route.operation === "events.list") return listEvents(state, context, request.url.searchParams)
  const body = parse(request.body)
  if (body === undefined) {
    return { state, answer: refusalAnswer(context, { status: 400, message: "The body is not valid JSON" }) }
  }
  const operation = route.operation === "credentials.upsert" ? upsertCredentials : markMessagesAs
  return operation(state, context, route.subscriberId, body.value)
}

/** Makes an environment around a first state. */
export const makeEnvironment = (initial: EnvironmentState, switches: Switches, now: () => number): Environment => {
  let current = initial
  const modify: Environment["modify"] = (change) => {
    const changed = change(current)
    current = changed.state
    return changed
  }
  return {
    switches,
    now,
    modify,
    // What became due since the last request has happened, although nobody asked yet.
    state: () => modify((state) => ({ state: settle(state, now()) })).state,
    handle: (request) => {
      const { pathname, search } = request.url
      const context = { switches, now: now(), path: `${pathname}${search}` }
      const route = routeOf(request.method, pathname)
      if (route === undefined) {
        const message = `Cannot ${request.method} ${pathname}; there is ${documentedRoutes.join(", ")}`
        return refusalAnswer(context, { status: 404, message })
      }
      return modify((state) => carryOut(state, context, route, request)).answer
    }
  }
}
