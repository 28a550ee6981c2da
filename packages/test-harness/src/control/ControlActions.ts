/**
 * The actions of the control API, as one table that routes requests and describes itself.
 */
import { isManualClock, manualClock, type ManualClock } from "../clock/ManualClock.ts"
import type { Environment } from "../environment/Environment.ts"
import type { Fake } from "../environment/Fake.ts"
import * as Schema from "effect/Schema"
import { schema as FaultSchema } from "../faults/FaultSchema.ts"
import { requestsIn } from "../journal/Journal.ts"
import type { JournalEntry } from "../journal/JournalEntry.ts"
import type { ArmedFault } from "../faults/ArmedFault.ts"
import { NoSuchRecord, type RecordKind, recordKinds } from "../generate/EditRecords.ts"
import { inputReader } from "../input/Input.ts"
import { TriggerSchema } from "../trigger/Trigger.ts"
import { coverage } from "../provenance/Coverage.ts"
import { readToken } from "../environment/ReproductionToken.ts"
import { checkExpectation, expectFake } from "../verdicts/ExpectFake.ts"
import { matches } from "../verdicts/ExpectationTarget.ts"
import { timeline } from "../verdicts/Timeline.ts"
import { UnmetExpectation } from "../verdicts/UnmetExpectation.ts"
import { verdicts } from "../verdicts/Verdict.ts"
import type { Seen } from "../verdicts/WaitFor.ts"
import { entriesFor, integerIn, journalQuery, wordIn } from "./JournalQuery.ts"
import { comparedWithStored } from "./StoredRecords.ts"
import { RouteBody, routeOfRule } from "./RouteRule.ts"
import { sourceLanguages, testSource } from "./TestSource.ts"
import { RateLimitSchema } from "../state/Buckets.ts"
import { SnapshotSchema } from "../state/Snapshot.ts"
import { switchNames, switchRow, SwitchesSchema } from "../switches/Switches.ts"
import { ClockBody, EnvironmentInput, ExpectBody, changeBodies, SeedBody, WaitBody } from "./ControlInput.ts"

export interface ControlResponse {
  readonly status: number
  /** A JSON value. */
  readonly body: unknown
}

/** Stops the API, so that connections to it are refused, and starts it again. */
export interface Availability {
  /** Returns the base URL of the control API in the meantime. */
  readonly down: () => Promise<string>
  readonly up: () => Promise<void>
}

export interface ControlContext {
  readonly fake: Fake
  /** The URL of this fake, as the client has it. */
  readonly url: string
  readonly availability: Availability
  /** The environment of the request's key. */
  readonly environment: Environment
  /** The JSON value that was sent. */
  readonly body: unknown
  readonly query: URLSearchParams
  /** The parameters of the path, decoded. */
  readonly parameters: Readonly<Record<string, string>>
}

export interface ControlAction {
  /** Its name in generated clients: the `operationId` of the OpenAPI document. */
  readonly id: string
  readonly method: "GET" | "POST" | "PATCH" | "DELETE"
  /** `{name}` stands for a parameter, which is one segment. */
  readonly path: `/_fake/${string}`
  readonly summary: string
  /** Whether it needs the key of an environment. */
  readonly needsKey: boolean
  /** The parameters that its query may have. None unless given. */
  readonly query?: Readonly<Record<string, Schema.Top>>
  /** Returns the JSON value of the response; nothing stands for an empty object. */
  readonly run: (context: ControlContext) => unknown
  /** The schema of its body. Absent for actions without a body. */
  readonly body?: Schema.Top
  /** Whether it responds with 201. */
  readonly creates?: true
}

const clockOf = (time: string | undefined): { readonly clock?: ManualClock } =>
  time === undefined || time === "real" ? {} : { clock: manualClock(time) }

const faultLine = ({ fault, fired }: ArmedFault, index: number) => ({ number: index + 1, fired: fired(), fault })

const timeOf = ({ now }: Environment): string => new Date(now()).toISOString()

const issueOf = async (check: () => unknown) => {
  try {
    await check()
    return undefined
  } catch (error) {
    if (!(error instanceof UnmetExpectation)) throw error
    return { issue: error.issue, message: error.message }
  }
}

const movable = ({ clock }: Environment): ManualClock => {
  const current = clock()
  if (isManualClock(current)) return current
  throw new RangeError(
    'clock: this environment uses the time of the machine; create one with "clock", such as "2026-01-01T00:00:00Z"'
  )
}

const entryIn = ({ journal }: Environment, query: URLSearchParams): JournalEntry => {
  const number = integerIn(query, "request") ?? 0
  const entry = journal.entries().find((one) => one.number === number)
  if (entry === undefined) throw new RangeError(`request: no request ${number} in the journal`)
  return entry
}

type Route = `${ControlAction["method"]} ${ControlAction["path"]}`

interface Body<Input> {
  readonly schema: Schema.Top
  readonly read: (value: unknown) => Input
}

const bodyOf = <Input>(subject: string, schema: Schema.Decoder<Input>): Body<Input> => ({
  schema,
  read: inputReader(subject, () => schema)
})

interface Facts<Input> extends Pick<ControlAction, "summary" | "query" | "creates"> {
  readonly body?: Body<Input>
  readonly run: (context: ControlContext, input: Input) => unknown
}

const makeAction =
  (needsKey: boolean) =>
  <Input>(id: string, route: Route, { body, run, ...facts }: Facts<Input>): ControlAction => {
    const [method, path] = route.split(" ") as [ControlAction["method"], ControlAction["path"]] // the two parts of a route
    return {
      id,
      method,
      path,
      needsKey,
      ...facts,
      ...(body && { body: body.schema }),
      // Without a body, an action has no input.
      run: (context) => run(context, body?.read(context.body) as Input)
    }
  }

/** An action on the environment of the request's key. */
const keyed = makeAction(true)

/** An action that needs no key. */
const open = makeAction(false)

/** One record of each kind, in names and sentences, and its id. */
const singular: { readonly [Kind in RecordKind]: readonly [name: string, id: string] } = {
  subscribers: ["Subscriber", "subscriberId"],
  integrations: ["Integration", "id or identifier"],
  workflows: ["Workflow", "id or identifier"],
  messages: ["Message", "id"]
}

const recordActions = (kind: RecordKind): ReadonlyArray<ControlAction> => {
  const [name, id] = singular[kind]
  const one = `${kind === "integrations" ? "an" : "a"} ${name.toLowerCase()}`
  return [
    keyed(`update${name}`, `PATCH /_fake/${kind}/{id}`, {
      body: bodyOf<object>(kind, changeBodies[kind]),
      summary: `Changes fields of ${one}, by its ${id}, and returns it`,
      run: ({ environment, parameters: { id = "" } }, changes) => environment.updateRecord(kind, id, changes)
    }),
    keyed(`delete${name}`, `DELETE /_fake/${kind}/{id}`, {
      summary: `Removes ${one}, by its ${id}; what refers to it stays`,
      run: ({ environment, parameters: { id = "" } }) => environment.removeRecord(kind, id)
    })
  ]
}

const environmentBody = bodyOf("environment", EnvironmentInput)

export const controlActions: ReadonlyArray<ControlAction> = [
  open("createEnvironment", "POST /_fake/environments", {
    body: { ...environmentBody, read: (value) => environmentBody.read(value ?? {}) },
    creates: true,
    summary: "Creates an environment and returns its key",
    run: ({ fake }, { clock, reproduce, switches, preset, ...options }) => {
      const { apiKey, number } = fake.environment({
        ...(reproduce === undefined ? {} : readToken(reproduce)),
        ...options,
        ...clockOf(clock),
        // Names and values are checked when the environment is made, against the table of switches.
        ...(preset === undefined ? {} : { preset: preset as "document" }),
        ...(switches === undefined ? {} : { switches: switches as Environment["switches"] })
      })
      return { apiKey, number }
    }
  }),
  keyed("seed", "POST /_fake/seed", {
    body: bodyOf("seed", SeedBody),
    creates: true,
    summary:
      "Adds subscribers, integrations, workflows, messages and events, and generates more from the seed; all or none",
    run: ({ environment }, input) => environment.addAllInSlices(input)
  }),
  keyed("trigger", "POST /_fake/trigger", {
    body: bodyOf("trigger", TriggerSchema),
    creates: true,
    summary: "Triggers a workflow; returns the id and the transaction of the event",
    run: ({ environment }, input) => environment.trigger(input)
  }),
  keyed("addRoute", "POST /_fake/routes", {
    body: bodyOf("route", RouteBody),
    creates: true,
    summary:
      "Serves an endpoint that the fake lacks, with a response or with records, until the environment is deleted; a route of the same name is replaced",
    run: ({ environment }, rule) => {
      environment.route(...routeOfRule(rule))
      return { name: rule.name }
    }
  }),
  keyed("armFault", "POST /_fake/faults", {
    body: bodyOf("fault", FaultSchema),
    creates: true,
    summary: "Arms a fault",
    run: ({ environment: { faults } }, fault) => faultLine(faults.add(fault), faults.armed().length - 1)
  }),
  keyed("listFaults", "GET /_fake/faults", {
    summary: "Lists the armed faults, and how often each fired",
    run: ({ environment }) => environment.faults.armed().map(faultLine)
  }),
  keyed("clearFaults", "DELETE /_fake/faults", {
    summary: "Disarms all faults; returns messages about those that never fired",
    run: ({ environment: { faults } }) => {
      const neverFired = faults.unfired().map(({ message }) => message)
      faults.clear()
      return { neverFired }
    }
  }),
  keyed("moveClock", "POST /_fake/clock", {
    body: bodyOf("clock", ClockBody),
    summary:
      'Moves the clock of an environment that was created with one: {"advanceMs": 60000}, {"set": time}, or {"runNext": true} to the end of the next delay',
    run: ({ environment }, move) => {
      const clock = movable(environment)
      if ("advanceMs" in move) clock.advance(move.advanceMs)
      else if ("set" in move) clock.set(move.set)
      const ran = "runNext" in move ? { ran: clock.runNext() } : {}
      return { now: timeOf(environment), ...ran }
    }
  }),
  open("listEnvironments", "GET /_fake/environments", {
    summary: "Lists the environments: key, name, number, time, requests and armed faults",
    run: ({ fake }) =>
      fake.environments().map((environment) => {
        const { apiKey, faults, journal, name, number } = environment
        const requests = requestsIn(journal)
        return { apiKey, name, number, now: timeOf(environment), requests, faults: faults.armed().length }
      })
  }),
  keyed("deleteEnvironment", "DELETE /_fake/environments", {
    summary: "Deletes the environment of the key; not the first one",
    run: ({ environment, fake }) => fake.deleteEnvironment(environment.apiKey)
  }),
  keyed("readState", "GET /_fake/state", {
    summary: "Reads the records: subscribers, integrations, workflows, messages, events, keysInFlight",
    run: ({ environment }) => ({ ...environment.state() })
  }),
  ...recordKinds.flatMap((kind) => recordActions(kind)),
  keyed("readSwitches", "GET /_fake/switches", {
    summary: "Reads the values of all switches",
    run: ({ environment }) => environment.switches
  }),
  keyed("changeSwitches", "POST /_fake/switches", {
    body: bodyOf("switches", SwitchesSchema),
    summary: "Changes some switches, for requests from now on; returns the values of all",
    run: ({ environment }, values) => {
      // `setSwitches` checks names and values.
      environment.setSwitches(values as Partial<Environment["switches"]>)
      return environment.switches
    }
  }),
  keyed("limitRate", "POST /_fake/rate-limit", {
    body: bodyOf("rateLimit", RateLimitSchema),
    summary:
      'Limits the rate of requests: {"requests": 3, "windowMs": 1000}, or of a category: {"configuration": {"requests": 3}}',
    run: ({ environment }, limit) => environment.setRateLimit(limit)
  }),
  keyed("removeRateLimit", "DELETE /_fake/rate-limit", {
    summary: "Returns to the rate limit of the switch rateLimit.plan",
    run: ({ environment }) => environment.setRateLimit(undefined)
  }),
  keyed("takeSnapshot", "GET /_fake/snapshot", {
    summary: "Reads the records, due jobs, switches and rate limit of the environment, for a restore",
    run: ({ environment }) => environment.snapshot()
  }),
  keyed("restoreSnapshot", "POST /_fake/restore", {
    body: bodyOf("snapshot", SnapshotSchema),
    summary: "Restores a snapshot, of this or another environment; a reset returns to it from then on",
    run: ({ environment }, snapshot) => {
      environment.restore(snapshot)
      return { now: timeOf(environment) }
    }
  }),
  open("takeDown", "POST /_fake/down", {
    summary:
      "Refuses connections to the API and closes those that are open; returns the URL where the control API responds until the API is up",
    run: async ({ availability }) => ({ url: await availability.down() })
  }),
  open("bringUp", "POST /_fake/up", {
    summary: "Accepts connections to the API again, on the same port",
    run: ({ availability }) => availability.up()
  }),
  keyed("removeFault", "DELETE /_fake/faults/{number}", {
    summary: "Disarms one fault by its number in the list, and returns how often it fired",
    run: ({ environment, parameters: { number } }) => {
      const armed = environment.faults.armed()[Number(number) - 1]
      if (armed === undefined) throw new NoSuchRecord(`faults: there is no armed fault ${number}`)
      armed.remove()
      return { fired: armed.fired() }
    }
  }),
  keyed("readClock", "GET /_fake/clock", {
    summary: "Reads the time of the environment, and whether the clock can be moved",
    run: ({ environment }) => ({ now: timeOf(environment), isManual: isManualClock(environment.clock()) })
  }),
  keyed("readToken", "GET /_fake/token", {
    summary: "The reproduction token: seed, data, switches, rate limit, faults and the start of the clock",
    run: ({ environment }) => ({ token: environment.token() })
  }),
  open("readCoverage", "GET /_fake/coverage", {
    summary: "What the requests to all environments exercised: operations, parameters, statuses, switches, faults",
    run: ({ fake }) => coverage(fake.environments())
  }),
  keyed("readTimeline", "GET /_fake/timeline", {
    summary: "The requests as text: when each arrived, how far it got, which faults it met, and its outcome",
    run: ({ environment }) => ({ timeline: timeline(environment) })
  }),
  keyed("expect", "POST /_fake/expect", {
    body: bodyOf("expect", ExpectBody),
    summary: "Checks expectations; returns whether all are met, and the issue and timeline of each that is not",
    run: async ({ environment }, { expectations }) => {
      const checked = expectations.map(async ({ name, ...input }) => {
        const unmet = await issueOf(() => checkExpectation(environment, name, input))
        return unmet === undefined ? [] : [{ name, ...unmet }]
      })
      const issues = (await Promise.all(checked)).flat()
      return { met: issues.length === 0, issues }
    }
  }),
  keyed("wait", "POST /_fake/wait", {
    body: bodyOf("wait", WaitBody),
    summary: "Waits for requests, or for the outcome of a call, at most timeoutMs of real time (default 1000)",
    run: async ({ environment }, { outcome, requests = 1, target = {}, timeoutMs }) => {
      const isSeen = (seen: Seen): boolean =>
        seen.requests.filter((entry) => matches(target, entry)).length >= requests &&
        (outcome === undefined ||
          seen.verdicts.some((verdict) => matches(target, verdict) && verdict.outcome === outcome))
      const options = timeoutMs === undefined ? {} : { timeoutMs }
      const unmet = await issueOf(() => expectFake(environment).waitFor(isSeen, options))
      return { met: unmet === undefined, ...unmet }
    }
  }),
  keyed("readJournal", "GET /_fake/journal", {
    summary: "Reads the requests, their outcomes and responses, all or those that match the query",
    query: journalQuery,
    run: ({ environment: { journal, unmatchedRequests }, query }) => ({
      capacity: journal.capacity,
      evicted: journal.evicted(),
      entries: entriesFor(journal.entries(), query),
      unmatchedRequests: unmatchedRequests.count()
    })
  }),
  keyed("writeSource", "GET /_fake/test-source", {
    summary: "The source of a test, or a script, that sends a request of the journal again to a new environment",
    query: { request: Schema.Int, language: Schema.Literals(sourceLanguages) },
    run: ({ environment, query, url }) => {
      const language = wordIn(query, "language", sourceLanguages) ?? "typescript"
      return { source: testSource(environment, entryIn(environment, query), language, url) }
    }
  }),
  keyed("compareStored", "GET /_fake/stored", {
    summary: "Compares a write of the journal with what is stored now, field by field, without secrets",
    query: { request: Schema.Int },
    run: ({ environment, query }) => comparedWithStored(environment.state(), entryIn(environment, query))
  }),
  keyed("readSwitchQuestions", "GET /_fake/switches/questions", {
    summary: "Reads the question of each switch, its allowed values, its value now and in the presets",
    run: ({ environment: { switches } }) =>
      switchNames.map((name) => {
        const { document, observed, question, values } = switchRow(name)
        return { name, question, values, value: switches[name], document, observed }
      })
  }),
  open("listUnmatchedRequests", "GET /_fake/unmatched-requests", {
    summary:
      "Reads requests without an API key, or with an unknown one; with a key: since that environment was created or reset",
    run: ({ environment: { unmatchedRequests } }) => ({
      count: unmatchedRequests.count(),
      entries: unmatchedRequests.entries()
    })
  }),
  keyed("readVerdicts", "GET /_fake/verdicts", {
    summary: "The verdict on each call: how often it was applied, and the outcome that its client saw",
    run: ({ environment }) => verdicts(environment.journal)
  }),
  keyed("reset", "POST /_fake/reset", {
    summary: "Restores the initial data, switches and rate limit, and clears the journal and the faults",
    run: ({ environment }) => environment.reset()
  })
]
