/**
 * The way of a request through an environment: received, validated, committed, answering, answered.
 */
import type { Told } from "../journal/JournalEntry.ts"
import type { OpenEntry } from "../journal/OpenEntry.ts"
import {
  type Answer,
  type OperationContext,
  type Outcome,
  type Refusal,
  refusalAnswer
} from "../operations/Operations.ts"
import { carryOut } from "./CarryOut.ts"
import type { Delivery, WireAnswer } from "./Delivery.ts"
import type { EnvironmentCore } from "./EnvironmentCore.ts"
import type { FakeRequest } from "./FakeRequest.ts"
import { httpDate } from "./HttpDate.ts"
import * as Idempotency from "./Idempotency.ts"
import type { InterferencePoint } from "./Interference.ts"
import { readBody } from "./RequestBody.ts"
import { type Route, routeOf, wrongTurn } from "./Route.ts"
import { takeToken } from "./RateLimit.ts"
import type { Signal } from "./Signal.ts"
import { deliver, type Exchange, type Step } from "./Step.ts"

/** What goes with a request through all its points. */
interface Passing {
  readonly core: EnvironmentCore
  readonly request: FakeRequest
  readonly entry: OpenEntry
  /** How often the environment was reset when the request came. */
  readonly resets: number
  /** Headers that every answer to the request carries. */
  readonly headers: Readonly<Record<string, string>>
}

/** What is needed to carry the operation out once nothing is wrong with the request itself. */
interface Work {
  readonly route: Route
  readonly body: unknown
  readonly ticket: Idempotency.Ticket | undefined
}

/** An answer as it goes over the wire, dated by the clock of the environment. */
export const wireAnswer = (answer: Answer, now: number, extra: Readonly<Record<string, string>> = {}): WireAnswer => ({
  status: answer.status,
  headers: {
    ...(answer.body === undefined ? {} : { "content-type": "application/json; charset=utf-8" }),
    date: httpDate(now),
    ...extra,
    ...answer.headers
  },
  body: answer.body === undefined ? undefined : JSON.stringify(answer.body)
})

const contextOf = ({ core, request }: Passing): OperationContext => ({
  switches: core.switches,
  now: core.now(),
  path: request.query === "" ? request.path : `${request.path}?${request.query}`
})

const carry = (passing: Passing, { body, route }: Work): Outcome =>
  carryOut(passing.core, contextOf(passing), route, passing.request.query, body)

const told = (delivery: Delivery): Told => {
  switch (delivery._tag) {
    case "Whole":
    case "Slow":
      return { _tag: "Answer", status: delivery.answer.status }
    case "Cut":
      return { _tag: "CutAnswer", status: delivery.answer.status, ending: delivery.ending }
    case "Nothing":
      return { _tag: "Nothing", ending: delivery.ending }
  }
}

const cannotRefuse: Answer = {
  status: 500,
  body: {
    message:
      'fault "refused connection": a client that has connected cannot be refused; call down() of the server, then up()'
  }
}

/** What can be delivered in place of what was meant to be: over a socket there is no refusing any more. */
const deliverable = ({ core, request }: Passing, delivery: Delivery): Delivery =>
  request.surface === "server" && delivery._tag === "Nothing" && delivery.ending === "refuse"
    ? { _tag: "Whole", answer: wireAnswer(cannotRefuse, core.now()) }
    : delivery

const hand = (passing: Passing, meant: Delivery): Step => {
  const { core, entry } = passing
  const delivery = deliverable(passing, meant)
  // Who has left is told nothing any more.
  if (entry.told._tag === "Pending") {
    core.journal.tell(entry, told(delivery), core.now(), delivery._tag === "Nothing" ? undefined : delivery.answer)
  }
  return deliver(delivery)
}

/** Holds a request up: for so long, or until one of the signals; a reset is one always. */
const wait = ({ core }: Passing, millis: number, next: () => Step, ...signals: ReadonlyArray<Signal>): Step => ({
  _tag: "Wait",
  millis,
  subscribe: (happened) => {
    const stops = [core.resets, ...signals].map(({ subscribe }) => subscribe(happened))
    return () => {
      for (const stop of stops) stop()
    }
  },
  next
})

/** Lets faults get into the way at a point, and goes on where none stops the request. */
const at = (
  passing: Passing,
  point: Exclude<InterferencePoint, "answering">,
  stopped: (answer: WireAnswer) => Step,
  goOn: (wasDelayed: boolean) => Step,
  wasDelayed = false
): Step => {
  const { core, entry } = passing
  const found = core.interferer.next(point, entry, core.now())
  switch (found?._tag) {
    case undefined:
      return goOn(wasDelayed)
    case "Delay":
      return wait(passing, found.millis, () => at(passing, point, stopped, goOn, true))
    case "Answer":
      return stopped(found.answer)
    case "Nothing":
      return hand(passing, { _tag: "Nothing", ending: found.ending })
    case "Change":
      return at(passing, point, stopped, goOn, wasDelayed)
  }
}

/** All of an answer: for `HEAD` that is its head, in which no fault of a body has a place. */
const whole = ({ request }: Passing, answer: WireAnswer): Delivery => ({
  _tag: "Whole",
  answer: request.method === "HEAD" ? { ...answer, body: undefined } : answer
})

const answering = (passing: Passing, delivery: Delivery): Step => {
  const { core, entry } = passing
  const found = core.interferer.next("answering", entry, core.now())
  switch (found?._tag) {
    case undefined:
      return hand(passing, delivery)
    case "Delay":
      return wait(passing, found.millis, () => answering(passing, delivery))
    case "Answer":
      return answering(passing, whole(passing, found.answer))
    case "Nothing":
      return hand(passing, { _tag: "Nothing", ending: found.ending })
    case "Change":
      return answering(passing, found.change(delivery))
  }
}

const answer = (passing: Passing, wire: WireAnswer): Step => {
  const { core, entry } = passing
  core.journal.pass(entry, "answering", core.now())
  return answering(passing, whole(passing, wire))
}

const refuse = (passing: Passing, refusal: Refusal): Step => {
  const context = contextOf(passing)
  return answer(passing, wireAnswer(refusalAnswer(context, refusal), context.now, passing.headers))
}

/** Ends the processing of a request with an answer of the service, which its key may keep. */
const conclude = (passing: Passing, { ticket }: Work, outcome: WireAnswer): void => {
  const { core } = passing
  if (ticket === undefined) return
  core.write((state) => ({
    ...state,
    keys: Idempotency.settleKey(core.switches, state.keys, ticket, outcome, core.now())
  }))
  core.keys.notify()
}

const commit = (passing: Passing, work: Work, outcome: Outcome): Step => {
  const { core, entry } = passing
  core.write(() => outcome.state)
  entry.applied = work.route.operation !== "events.list"
  core.journal.pass(entry, "committed", core.now())
  const wire = wireAnswer(outcome.answer, core.now(), passing.headers)
  conclude(passing, work, wire)
  return at(
    passing,
    "committed",
    (other) => answer(passing, other),
    () => answer(passing, wire)
  )
}

const isRefusal = ({ status }: { readonly status: number }): boolean => status >= 400

const refuseOutcome = (passing: Passing, work: Work, outcome: Outcome): Step => {
  const wire = wireAnswer(outcome.answer, passing.core.now(), passing.headers)
  conclude(passing, work, wire)
  return answer(passing, wire)
}

const validate = (passing: Passing, work: Work): Step => {
  const { core, entry } = passing
  entry.leaks = core.leaks(work.route, passing.request, work.body)
  const outcome = carry(passing, work)
  if (isRefusal(outcome.answer)) return refuseOutcome(passing, work, outcome)
  core.journal.pass(entry, "validated", core.now())
  return at(
    passing,
    "validated",
    (other) => {
      conclude(passing, work, other)
      return answer(passing, other)
    },
    (wasDelayed) => {
      // While the request was held up, others may have changed what it was checked against.
      const current = wasDelayed ? carry(passing, work) : outcome
      return isRefusal(current.answer) ? refuseOutcome(passing, work, current) : commit(passing, work, current)
    }
  )
}

const inFlightRefusal = (key: string): Refusal => ({
  status: 409,
  message: `Request with key "${key}" is currently being processed. Please retry after 1 second`,
  headers: { "retry-after": "1" }
})

const replay = (passing: Passing, ticket: Idempotency.Ticket, kept: WireAnswer): Step => {
  const { core, entry } = passing
  entry.replayed = true
  const headers = Idempotency.echo(core.switches, ticket, true)
  if (isRefusal(kept) && core.switches["idempotency.errors"] === "replayed-as-503") {
    return refuse(passing, { status: 503, message: "Service Unavailable", headers })
  }
  const date = httpDate(core.now())
  return answer(passing, { ...kept, headers: { ...kept.headers, ...passing.headers, ...headers, date } })
}

/** Looks at the key of a request, where it counts, before the operation is carried out. */
const checkKey = (passing: Passing, work: Work): Step => {
  const { core } = passing
  const { ticket } = work
  if (ticket === undefined) return validate(passing, work)
  if (Idempotency.isTooLong(core.switches, ticket.key)) {
    return refuse(passing, {
      status: 400,
      message: `idempotencyKey "${ticket.key}" has exceeded the maximum allowed length of ${core.switches["idempotency.keyLimit"]} characters`
    })
  }
  const verdict = Idempotency.meet(core.switches, core.state().keys, ticket, core.now())
  switch (verdict._tag) {
    case "Replay":
      return replay(passing, ticket, verdict.answer)
    case "OtherBody":
      return refuse(passing, {
        status: Number(core.switches["idempotency.otherBody"]),
        message: `Request with key "${ticket.key}" is being reused for a different body`
      })
    case "InFlight":
      return core.switches["idempotency.inFlight"] === "wait"
        ? wait(passing, verdict.millis, () => checkKey(passing, work), core.keys)
        : refuse(passing, inFlightRefusal(ticket.key))
    case "Proceed": {
      core.write((state) => ({ ...state, keys: Idempotency.reserve(state.keys, ticket, core.now()) }))
      const headers = { ...passing.headers, ...Idempotency.echo(core.switches, ticket, false) }
      return validate({ ...passing, headers }, work)
    }
  }
}

const readRequest = (passing: Passing, route: Route): Step => {
  const { core, request } = passing
  if (route.operation === "events.list") {
    const ticket = Idempotency.ticketOf(core.switches, route.operation, request, request.query)
    return checkKey(passing, { route, body: undefined, ticket })
  }
  const body = readBody(core.switches, request)
  if (!("_tag" in body)) return refuse(passing, body)
  const ticket = Idempotency.ticketOf(core.switches, route.operation, request, body.value)
  return checkKey(passing, { route, body: body.value, ticket })
}

const limitRate = (passing: Passing, route: Route): Step => {
  const { core } = passing
  const { buckets, headers, isAllowed } = takeToken(core.switches, core.state().buckets, route.operation, core.now())
  if (buckets !== core.state().buckets) core.write((state) => ({ ...state, buckets }))
  const limited = { ...passing, headers: { ...passing.headers, ...headers } }
  return isAllowed ? readRequest(limited, route) : refuse(limited, { status: 429, message: "API rate limit exceeded" })
}

const findRoute = (passing: Passing, route: ReturnType<typeof routeOf>): Step => {
  if (route?._tag === "Route") return limitRate(passing, route)
  return refuse(passing, wrongTurn(passing.core.switches, passing.request, route))
}

const idempotencyKeyOf = (request: FakeRequest): string | undefined => {
  const key = request.header("idempotency-key")
  return key === "" ? undefined : key
}

/**
 * Takes a request on. What nobody foresaw is answered too: it ends this request, and nothing of others. What was under
 * way at a reset changes nothing any more: its connection is closed, as by a service that stops.
 */
const proceed = (passing: Passing, next: () => Step): Step => {
  const { core, resets } = passing
  try {
    if (core.resets.times() !== resets) return hand(passing, { _tag: "Nothing", ending: "close" })
    const step = next()
    return step._tag === "Deliver" ? step : { ...step, next: () => proceed(passing, step.next) }
  } catch (error) {
    const message = `The fake failed: ${error instanceof Error ? error.message : String(error)}`
    return hand(passing, { _tag: "Whole", answer: wireAnswer({ status: 500, body: { message } }, core.now()) })
  }
}

/** Takes a request in. */
export const receive = (core: EnvironmentCore, request: FakeRequest): Exchange => {
  const route = routeOf(request.method, request.path)
  const isRoute = route?._tag === "Route"
  const entry = core.journal.open({
    request,
    at: core.now(),
    operation: isRoute ? route.operation : undefined,
    subscriberId: isRoute && route.subscriberId !== "" ? route.subscriberId : undefined,
    idempotencyKey: idempotencyKeyOf(request)
  })
  const passing: Passing = { core, request, entry, resets: core.resets.times(), headers: {} }
  core.journal.pass(entry, "received", core.now())
  return {
    first: proceed(passing, () =>
      at(
        passing,
        "received",
        (other) => answer(passing, other),
        () => findRoute(passing, route)
      )
    ),
    answered: () => {
      if (entry.told._tag === "Answer") core.journal.pass(entry, "answered", core.now())
    },
    abandoned: () => {
      if (entry.told._tag === "Pending") core.journal.tell(entry, { _tag: "ClientLeft" }, core.now())
      else core.journal.end(entry, core.now())
    }
  }
}
