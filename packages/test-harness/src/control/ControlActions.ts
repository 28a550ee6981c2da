/**
 * The actions of the control API, as one table that routes requests and describes itself.
 */
import { isManualClock, manualClock, type ManualClock } from "../clock/ManualClock.ts"
import type { Environment } from "../Environment.ts"
import type { Fake } from "../Fake.ts"
import type { ArmedFault } from "../faults/ArmedFault.ts"
import * as Fault from "../faults/Fault.ts"
import { inputReader } from "../Input.ts"
import { TriggerSchema } from "../trigger/Trigger.ts"
import { readToken } from "../ReproductionToken.ts"
import { verdicts } from "../verdicts/Verdict.ts"
import { ClockBody, EnvironmentInput, SeedBody } from "./ControlInput.ts"

/** What a request to the control API comes to. */
export interface ControlResponse {
  readonly status: number
  /** A JSON value. */
  readonly body: unknown
}

/** What an action may know. */
export interface ControlContext {
  readonly fake: Fake
  /** The environment of the request's key. */
  readonly environment: Environment
  /** The JSON value that was sent. */
  readonly body: unknown
  readonly query: URLSearchParams
}

/** Something that can be done over HTTP. */
export interface ControlAction {
  readonly method: "GET" | "POST"
  readonly path: `/_fake/${string}`
  readonly summary: string
  /** Whether it needs the key of an environment. */
  readonly needsKey: boolean
  /** Names that its query may have. None unless given. */
  readonly query?: ReadonlyArray<string>
  readonly run: (context: ControlContext) => ControlResponse
}

const ok = (body: unknown): ControlResponse => ({ status: 200, body })

const created = (body: unknown): ControlResponse => ({ status: 201, body })

const clockOf = (time: string | undefined): { readonly clock?: ManualClock } =>
  time === undefined || time === "real" ? {} : { clock: manualClock(time) }

const readEnvironment = inputReader("environment", EnvironmentInput)
const readTrigger = inputReader("trigger", TriggerSchema)
const readSeed = inputReader("seed", SeedBody)
const readClock = inputReader("clock", ClockBody)

const faultLine = ({ fault, fired }: ArmedFault, number: number) => ({ number, fired: fired(), fault })

const movable = ({ clock }: Environment): ManualClock => {
  const current = clock()
  if (isManualClock(current)) return current
  throw new RangeError(
    'clock: this environment has the time of the machine; make one with a "clock", such as "2026-01-01T00:00:00Z"'
  )
}

const wholeNumber = (name: string, given: string | null): number => {
  if (given === null) return 0
  if (/^\d{1,15}$/u.test(given)) return Number(given)
  throw new RangeError(`${name}: must be an integer, 0 or more, not ${JSON.stringify(given)}`)
}

/** All actions. */
export const controlActions: ReadonlyArray<ControlAction> = [
  {
    method: "POST",
    path: "/_fake/environments",
    summary:
      "Makes an environment (seed, preset, switches, vendor, data, events, clock, journalCapacity); answers its key",
    needsKey: false,
    run: ({ body, fake }) => {
      const { clock, reproduce, switches, preset, ...options } = readEnvironment(body ?? {})
      const { apiKey, number } = fake.environment({
        ...(reproduce === undefined ? {} : readToken(reproduce)),
        ...options,
        ...clockOf(clock),
        // Names and values are checked when the environment is made, against the table of switches.
        ...(preset === undefined ? {} : { preset: preset as "document" }),
        ...(switches === undefined ? {} : { switches: switches as Environment["switches"] })
      })
      return created({ apiKey, number })
    }
  },
  {
    method: "POST",
    path: "/_fake/seed",
    summary:
      "Adds subscribers, integrations, workflows and messages, and draws more of them from the seed; all or nothing",
    needsKey: true,
    run: ({ body, environment }) => created(environment.addAll(readSeed(body)))
  },
  {
    method: "POST",
    path: "/_fake/trigger",
    summary: "Triggers a workflow; answers the id and the transaction of the event",
    needsKey: true,
    run: ({ body, environment }) => created(environment.trigger(readTrigger(body)))
  },
  {
    method: "POST",
    path: "/_fake/faults",
    summary: "Arms a fault",
    needsKey: true,
    run: ({ body, environment }) => {
      const armed = environment.faults.add(Fault.fromJson(body))
      return created(faultLine(armed, environment.faults.armed().length))
    }
  },
  {
    method: "GET",
    path: "/_fake/faults",
    summary: "Lists the armed faults, and how often each has happened",
    needsKey: true,
    run: ({ environment }) => ok(environment.faults.armed().map((armed, index) => faultLine(armed, index + 1)))
  },
  {
    method: "POST",
    path: "/_fake/faults/clear",
    summary: "Takes all faults away; answers issues about those that never happened",
    needsKey: true,
    run: ({ environment }) => {
      const neverFired = environment.faults.unfired().map(({ message }) => message)
      environment.faults.clear()
      return ok({ neverFired })
    }
  },
  {
    method: "POST",
    path: "/_fake/clock",
    summary: 'Moves the clock of an environment that was made with one: {"advanceMs": 60000} or {"set": time}',
    needsKey: true,
    run: ({ body, environment }) => {
      const clock = movable(environment)
      const move = readClock(body)
      if ("advanceMs" in move) clock.advance(move.advanceMs)
      else clock.set(move.set)
      return ok({ now: new Date(environment.now()).toISOString() })
    }
  },
  {
    method: "GET",
    path: "/_fake/journal",
    summary: "Reads the requests and what became of them; ?after=N leaves out those up to number N",
    needsKey: true,
    query: ["after"],
    run: ({ environment, query }) => {
      const after = wholeNumber("after", query.get("after"))
      const entries = environment.journal.entries().filter(({ number }) => number > after)
      const { journal, unmatchedRequests } = environment
      return ok({ evicted: journal.evicted(), entries, unmatchedRequests: unmatchedRequests.count() })
    }
  },
  {
    method: "GET",
    path: "/_fake/unmatchedRequests",
    summary:
      "Requests without an API key, or with one that no environment has; with a key, since that one was made or reset",
    needsKey: false,
    run: ({ environment: { unmatchedRequests } }) =>
      ok({ count: unmatchedRequests.count(), entries: unmatchedRequests.entries() })
  },
  {
    method: "GET",
    path: "/_fake/verdicts",
    summary: "The verdict on each call: how often it was applied, and the outcome that its client saw",
    needsKey: true,
    run: ({ environment }) => ok(verdicts(environment.journal))
  },
  {
    method: "POST",
    path: "/_fake/reset",
    summary: "Back to the data of the start, without journal and faults",
    needsKey: true,
    run: ({ environment }) => {
      environment.reset()
      return ok({})
    }
  }
]
