/**
 * A request passes through an environment: received, validated, committed, answering, answered.
 */
import { type FieldPosition, isOperationName, isRead, operations, positions } from "@signalbox/core/Operations"
import type { OpenEntry } from "../journal/OpenEntry.ts"
import {
  internalError,
  type OperationResponse,
  type OperationResult,
  type Rejection,
  wireResponse
} from "../operations/OperationResponse.ts"
import { provenanceHeader, watched } from "./Provenance.ts"
import type { EnvironmentState } from "../state/EnvironmentState.ts"
import type { KeptKeys } from "../state/KeptKeys.ts"
import { isJsonObject } from "@signalbox/core/internal/reading/JsonObject"
import type { SwitchName } from "../switches/Switches.ts"
import type { WireResponse } from "../wire/Delivery.ts"
import { isDeclaredRead, isHarmfulTwice, secretsOf } from "./DeclaredRoute.ts"
import type { EnvironmentCore } from "./EnvironmentCore.ts"
import type { FakeRequest } from "../wire/FakeRequest.ts"
import { compressible, isPreflight, preflightResponse } from "./FrameworkHeaders.ts"
import { httpDate } from "../wire/HttpDate.ts"
import * as Idempotency from "./Idempotency.ts"
import { takeToken } from "./RateLimit.ts"
import { type ReadBody, noBody, readBody, readBodyFirst } from "./RequestBody.ts"
import { at, briefly, hand, operationContext, reject, type RequestContext, respond, wait } from "./Respond.ts"
import { type Destination, type Route, routeOf, routingError } from "./Route.ts"
import { carryOut } from "./RunOperation.ts"
import type { Exchange, Step } from "./Step.ts"

/** The work of the operation once the request itself is valid. */
interface Work {
  readonly route: Route
  readonly body: unknown
  readonly ticket: Idempotency.Ticket | undefined
}

const carry = (context: RequestContext, { body, route }: Work, seen?: EnvironmentState): OperationResult =>
  carryOut(context.core, operationContext(context), route, context.request.query, body, seen)

/** Ends the processing of a request with a response, which may be stored for its key. */
const conclude = (context: RequestContext, { ticket }: Work, result: WireResponse): void => {
  const { core } = context
  if (ticket === undefined) return
  context.reserve = undefined
  core.write((state) => ({
    ...state,
    keys: Idempotency.settleKey(core.switches, state.keys, ticket, result, core.now())
  }))
  core.keys.notify()
}

const hasList = (body: unknown, [first, ...rest]: FieldPosition): boolean => {
  if (first === undefined) return Array.isArray(body)
  return isJsonObject(body) && hasList(body[first], rest)
}

/** Whether a request appends to a list, so that applying it twice does harm. */
const appendsTo = ({ body, route: { declared, operation } }: Work): boolean =>
  declared === undefined
    ? isOperationName(operation) && positions[operation].appends.some((position) => hasList(body, position))
    : isHarmfulTwice(declared)

/** Whether a request changes nothing. */
const isReading = ({ declared, operation }: Route): boolean =>
  declared === undefined ? isRead(operation) : isDeclaredRead(declared)

/** How long an upsert takes to write what it has read, and then to read what is stored, where others can interfere. */
const raceMs = 5

const isRacing = ({ core }: RequestContext, { route }: Work): boolean =>
  route.operation === "credentials.upsert" && core.switches["credentials.concurrent"] === "lost-updates"

/** Waits as long as an operation says before its response. */
const delayed = (context: RequestContext, { delayMs }: OperationResult, next: () => Step): Step =>
  delayMs === undefined ? next() : wait(context, delayMs, next)

const commit = (context: RequestContext, work: Work, result: OperationResult): Step => {
  const { core, entry } = context
  core.write(() => result.state)
  entry.appends = appendsTo(work)
  entry.applied = !isReading(work.route) && result.changesNothing !== true
  core.journal.pass(entry, "committed", core.now())
  const finish = (response: OperationResponse): Step => {
    const wire = wireResponse(response, core.now(), context.headers)
    conclude(context, work, wire)
    return at(
      context,
      "committed",
      (other) => respond(context, other),
      () => respond(context, wire)
    )
  }
  const { reread, response } = result
  if (reread === undefined || !isRacing(context, work)) return delayed(context, result, () => finish(response))
  return briefly(context, raceMs, () => finish(reread(core.state())))
}

const isRejection = ({ status }: { readonly status: number }): boolean => status >= 400

const rejectResult = (context: RequestContext, work: Work, result: OperationResult): Step =>
  delayed(context, result, () => {
    const wire = wireResponse(result.response, context.core.now(), context.headers)
    conclude(context, work, wire)
    return respond(context, wire)
  })

const validate = (context: RequestContext, work: Work): Step => {
  const { core, entry } = context
  entry.leaks = core.leaks(work.route, context.request, work.body)
  const seen = core.state()
  const result = carry(context, work)
  if (isRejection(result.response)) return rejectResult(context, work, result)
  core.journal.pass(entry, "validated", core.now())
  return at(
    context,
    "validated",
    (other) => {
      conclude(context, work, other)
      return respond(context, other)
    },
    (wasDelayed) => {
      const write = (current: OperationResult): Step =>
        isRejection(current.response) ? rejectResult(context, work, current) : commit(context, work, current)
      if (isRacing(context, work)) return briefly(context, raceMs, () => write(carry(context, work, seen)))
      // Other requests may have changed the state during the delay.
      return write(wasDelayed ? carry(context, work) : result)
    }
  )
}

const inFlightRejection = (core: EnvironmentCore, ticket: Idempotency.Ticket): Rejection => ({
  status: 409,
  message: `Request with key "${ticket.key}" is currently being processed. Please retry after 1 second`,
  headers: { "retry-after": "1", ...keyLink(core), ...Idempotency.echo(core.switches, ticket, false) }
})

/** The header `Link` of an error about an idempotency key. */
const keyLink = ({ switches, vendor }: EnvironmentCore): Readonly<Record<string, string>> =>
  switches["idempotency.link"] === "absent"
    ? {}
    : { link: `https://docs.${vendor()}.example/additional-resources/idempotency` }

const replay = (context: RequestContext, { route }: Work, ticket: Idempotency.Ticket, kept: WireResponse): Step => {
  const { core, entry } = context
  entry.replayed = true
  const headers = Idempotency.echo(core.switches, ticket, true)
  if (isRejection(kept) && core.switches["idempotency.errors"] === "replayed-as-503") {
    return reject(context, { status: 503, message: "Service Unavailable", headers })
  }
  const date = httpDate(core.now())
  // The key may be that of another operation, whose status the service does not store.
  const { operation } = route
  const status = isRejection(kept) || !isOperationName(operation) ? kept.status : operations[operation].status
  return respond(context, { ...kept, status, headers: { ...kept.headers, ...context.headers, ...headers, date } })
}

/** The keys that a request can meet: those of its environment, and of its organization if they share them. */
function* keysOf({ siblingKeys, state, switches }: EnvironmentCore): Generator<KeptKeys> {
  yield state().keys
  if (switches["idempotency.scope"] === "organization") yield* siblingKeys()
}

/** Checks the key of a request before the operation runs. */
const checkKey = (context: RequestContext, work: Work): Step => {
  const { core } = context
  const { ticket } = work
  if (ticket === undefined) return validate(context, work)
  if (Idempotency.isTooLong(core.switches, ticket.key)) {
    return reject(context, {
      status: 400,
      message: `idempotencyKey "${ticket.key}" has exceeded the maximum allowed length of ${core.switches["idempotency.keyLimit"]} characters`
    })
  }
  const verdict = Idempotency.meet(core.switches, keysOf(core), ticket, core.now())
  switch (verdict._tag) {
    case "Replay":
      return replay(context, work, ticket, verdict.response)
    case "OtherBody":
      return reject(context, {
        status: Number(core.switches["idempotency.otherBody"]),
        message: `Request with key "${ticket.key}" is being reused for a different body`,
        headers: { ...keyLink(core), ...Idempotency.echo(core.switches, ticket, false) }
      })
    case "InFlight":
      return core.switches["idempotency.inFlight"] === "wait"
        ? wait(context, verdict.millis, () => checkKey(context, work), core.keys)
        : reject(context, inFlightRejection(core, ticket))
    case "Proceed": {
      const at = core.now()
      context.reserve = () => core.write((state) => ({ ...state, keys: Idempotency.reserve(state.keys, ticket, at) }))
      context.headers = { ...context.headers, ...Idempotency.echo(core.switches, ticket, false) }
      return validate(context, work)
    }
  }
}

const readRequest = (context: RequestContext, route: Route, known: ReadBody | undefined): Step => {
  const { core, request } = context
  if (isReading(route)) {
    const ticket = Idempotency.ticketOf(core.switches, true, request, request.query)
    return checkKey(context, { route, body: undefined, ticket })
  }
  // Only a declaration knows which of its operations need no body, such as a DELETE.
  const isEmpty = route.declared !== undefined && request.body === ""
  const body = known ?? (isEmpty ? noBody : readBody(core.switches, request))
  if (!("_tag" in body)) return reject(context, body)
  if (body.fails === true) return reject(context, internalError)
  const ticket = Idempotency.ticketOf(core.switches, false, request, body.value)
  return checkKey(context, { route, body: body.value, ticket })
}

const limitRate = (context: RequestContext, route: Route, body: ReadBody | undefined): Step => {
  const { core } = context
  const rules = { switches: core.switches, custom: core.rateLimit() }
  const { buckets, headers, isAllowed } = takeToken(rules, core.state().buckets, route.operation, core.now())
  if (buckets !== core.state().buckets) core.write((state) => ({ ...state, buckets }))
  context.headers = { ...context.headers, ...headers }
  return isAllowed
    ? readRequest(context, route, body)
    : reject(context, { status: 429, message: "API rate limit exceeded", facts: {} })
}

const findRoute = (context: RequestContext, destination: Destination): Step => {
  const { core, request } = context
  if (isPreflight(core.switches, request)) {
    return respond(context, wireResponse(preflightResponse(core.vendor()), core.now()))
  }
  const body = readBodyFirst(core.switches, request)
  if (body !== undefined && !("_tag" in body)) return reject(context, body)
  context.headers = compressible(core.switches)
  if (destination?._tag === "Route") return limitRate(context, destination, body)
  return reject(context, routingError(core.switches, request, destination, core.declaredRoutes))
}

const idempotencyKeyOf = (request: FakeRequest): string | undefined => {
  const key = request.header("idempotency-key")
  return key === "" ? undefined : key
}

/**
 * Continues a request. A defect of the fake ends this request with 500 and affects no other. A request in flight at a reset
 * changes nothing: its connection is closed, as by a service that stops.
 */
const proceed = (context: RequestContext, next: () => Step): Step => {
  const { core, resets } = context
  try {
    if (core.resets.times() !== resets) return hand(context, { _tag: "NoResponse", failure: "close" })
    const step = next()
    return step._tag === "Deliver" ? step : { ...step, next: () => proceed(context, step.next) }
  } catch (error) {
    const message = `The fake failed: ${error instanceof Error ? error.message : String(error)}`
    return hand(context, { _tag: "Whole", response: wireResponse({ status: 500, body: { message } }, core.now()) })
  }
}

/** How many requests of an environment are watched for the switches that they read; watching takes time. */
const watchedRequests = 1_000

/** The part of an environment for one request, which may be watched, and the switches that it has read. */
const watch = (core: EnvironmentCore, request: FakeRequest, { number }: OpenEntry) => {
  const isAsked = request.header(provenanceHeader) !== undefined
  if (!isAsked && number > watchedRequests) return { core, read: undefined }
  const read = new Set<SwitchName>()
  const switches = isAsked ? watched(core.switches, core.exercised, read) : watched(core.switches, core.exercised)
  return { core: { ...core, switches }, read: isAsked ? read : undefined }
}

const noHeaders = {}

export const receive = (core: EnvironmentCore, request: FakeRequest): Exchange => {
  const destination = routeOf(core.switches, request.method, request.path, core.declaredRoutes)
  const route = destination?._tag === "Route" ? destination : undefined
  const subscriberId = route?.parameters["subscriberId"]
  const entry = core.journal.open({
    request,
    at: core.now(),
    operation: route?.operation,
    subscriberId,
    idempotencyKey: idempotencyKeyOf(request),
    secrets: route?.declared && secretsOf(route.declared, route.parameters, request),
    state: core.state
  })
  const { core: watchedCore, read } = watch(core, request, entry)
  const context: RequestContext = {
    core: watchedCore,
    read,
    request,
    entry,
    resets: core.resets.times(),
    headers: noHeaders,
    reserve: undefined
  }
  core.journal.pass(entry, "received", core.now())
  return {
    first: proceed(context, () =>
      at(
        context,
        "received",
        (other) => respond(context, other),
        () => findRoute(context, destination)
      )
    ),
    answered: () => {
      if (entry.outcome._tag === "Response") core.journal.pass(entry, "answered", core.now())
    },
    abandoned: () => {
      if (entry.outcome._tag === "Pending") core.journal.finish(entry, { _tag: "ClientDisconnected" }, core.now())
      else core.journal.end(entry, core.now())
    }
  }
}
