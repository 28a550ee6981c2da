/**
 * How a request ends at any of its points: with a response, a delay before one, or without one because of a fault.
 */
import type { RequestOutcome } from "../journal/JournalEntry.ts"
import type { OpenEntry } from "../journal/OpenEntry.ts"
import {
  errorResponse,
  type OperationContext,
  type OperationResponse,
  type Rejection,
  wireResponse
} from "../operations/OperationResponse.ts"
import { describeProvenance, provenanceHeader } from "./Provenance.ts"
import type { SwitchName } from "../switches/Switches.ts"
import type { Delivery, WireResponse } from "../wire/Delivery.ts"
import type { EnvironmentCore } from "./EnvironmentCore.ts"
import type { FakeRequest } from "../wire/FakeRequest.ts"
import { bytesOf } from "../wire/WireBody.ts"
import type { FaultPoint } from "../faults/FaultInjector.ts"
import { asFrameworkSends } from "./FrameworkHeaders.ts"
import type { Signal } from "./Signal.ts"
import { deliver, type Step } from "./Step.ts"

export interface RequestContext {
  readonly core: EnvironmentCore
  readonly request: FakeRequest
  readonly entry: OpenEntry
  /** How often the environment was reset before the request came. */
  readonly resets: number
  /** The switches that the request has read, if its client asked for the provenance of the response. */
  readonly read: ReadonlySet<SwitchName> | undefined
  /** Headers that every response to the request carries, complete once its key was checked. */
  headers: Readonly<Record<string, string>>
  /** Reserves the key of the request. Called when the request waits or ends without a conclusion: before, no other one runs. */
  reserve: (() => void) | undefined
}

const reserveKey = (context: RequestContext): void => {
  context.reserve?.()
  context.reserve = undefined
}

export const operationContext = ({ core, request }: RequestContext): OperationContext => ({
  switches: core.switches,
  now: core.now(),
  vendor: core.vendor(),
  eventWires: core.eventWires,
  path: request.query === "" ? request.path : `${request.path}?${request.query}`
})

const outcome = (delivery: Delivery): RequestOutcome => {
  switch (delivery._tag) {
    case "Whole":
    case "Slow":
      return { _tag: "Response", status: delivery.response.status }
    case "Cut":
      return { _tag: "CutResponse", status: delivery.response.status, failure: delivery.failure }
    case "NoResponse":
      return { _tag: "NoResponse", failure: delivery.failure }
  }
}

const cannotRefuse: OperationResponse = {
  status: 500,
  body: {
    message:
      'fault "refused connection": a client that has connected cannot be refused; call down() of the server, then up()'
  }
}

/** The delivery that the surface can make: over a socket, a connected client cannot be refused. */
const deliverable = ({ core, request }: RequestContext, delivery: Delivery): Delivery =>
  request.surface === "server" && delivery._tag === "NoResponse" && delivery.failure === "refuse"
    ? { _tag: "Whole", response: wireResponse(cannotRefuse, core.now()) }
    : delivery

/** Delivers a response, or none, and finishes the entry of the request. */
export const hand = (context: RequestContext, intended: Delivery): Step => {
  const { core, entry } = context
  reserveKey(context)
  const delivery = deliverable(context, intended)
  // A disconnected client keeps its outcome.
  if (entry.outcome._tag === "Pending") {
    core.journal.finish(entry, outcome(delivery), core.now(), delivery)
  }
  return deliver(delivery)
}

/** Delays a request by this long, or until one of the signals; a reset is always one of them. */
export const wait = (
  context: RequestContext,
  millis: number,
  next: () => Step,
  ...signals: ReadonlyArray<Signal>
): Extract<Step, { readonly _tag: "Wait" }> => {
  reserveKey(context)
  return {
    _tag: "Wait",
    millis,
    subscribe: (happened) => {
      const stops = [context.core.resets, ...signals].map(({ subscribe }) => subscribe(happened))
      return () => {
        for (const stop of stops) stop()
      }
    },
    next
  }
}

/** Delays a request briefly: also where no clock moves until the client has its response. */
export const briefly = (context: RequestContext, millis: number, next: () => Step): Step => ({
  ...wait(context, millis, next),
  isBrief: true
})

/** Applies faults at a point, and continues unless one stops the request. */
export const at = (
  context: RequestContext,
  point: Exclude<FaultPoint, "answering">,
  stopped: (response: WireResponse) => Step,
  proceed: (wasDelayed: boolean) => Step,
  wasDelayed = false
): Step => {
  const { core, entry } = context
  const found = core.faultInjector.next(point, entry, core.now())
  switch (found?._tag) {
    case undefined:
      return proceed(wasDelayed)
    case "Delay":
      return wait(context, found.delayMs, () => at(context, point, stopped, proceed, true))
    case "Response":
      return stopped(found.response)
    case "NoResponse":
      return hand(context, { _tag: "NoResponse", failure: found.failure })
    case "Change":
      return at(context, point, stopped, proceed, wasDelayed)
  }
}

/** The head of a response, which announces the length of its body. */
const headOf = ({ body, headers, status }: WireResponse): WireResponse => ({
  status,
  headers: { ...headers, "content-length": String(bytesOf(body).length) },
  body: undefined
})

/** The complete response; for `HEAD` its head, which no fault of a body applies to. */
const whole = ({ request }: RequestContext, response: WireResponse): Delivery => ({
  _tag: "Whole",
  response: request.method === "HEAD" ? headOf(response) : response
})

const answering = (context: RequestContext, delivery: Delivery): Step => {
  const { core, entry } = context
  const found = core.faultInjector.next("answering", entry, core.now())
  switch (found?._tag) {
    case undefined:
      return hand(context, delivery)
    case "Delay":
      return wait(context, found.delayMs, () => answering(context, delivery))
    case "Response":
      return answering(context, whole(context, found.response))
    case "NoResponse":
      return hand(context, { _tag: "NoResponse", failure: found.failure })
    case "Change":
      return answering(context, found.change(delivery))
  }
}

/** A response with its provenance, if its client asked for it. */
const withProvenance = ({ core, entry, read }: RequestContext, wire: WireResponse): WireResponse => {
  if (read === undefined) return wire
  const provenance = describeProvenance(entry.operation, wire.status, core.switches, new Set(read))
  return { ...wire, headers: { ...wire.headers, [provenanceHeader]: provenance } }
}

/** A response with the id of its request, if the service sends one. */
const withRequestId = ({ core, entry }: RequestContext, wire: WireResponse): WireResponse =>
  core.switches["response.requestId"] === "absent"
    ? wire
    : { ...wire, headers: { ...wire.headers, "x-request-id": `request-${entry.number}` } }

/** Responds, unless a fault does something else with the response. */
export const respond = (context: RequestContext, wire: WireResponse): Step => {
  const { core, entry } = context
  core.journal.pass(entry, "answering", core.now())
  const framed = asFrameworkSends(core.switches, context.request, wire)
  return answering(context, whole(context, withProvenance(context, withRequestId(context, framed))))
}

export const reject = (context: RequestContext, rejection: Rejection): Step => {
  const surroundings = operationContext(context)
  const response = errorResponse(surroundings, rejection)
  return respond(context, wireResponse(response, surroundings.now, context.headers))
}
