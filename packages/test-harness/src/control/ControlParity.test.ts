import { assert, describe, it } from "@effect/vitest"
import { manualClock } from "../clock/ManualClock.ts"
import type { AllInput } from "../generate/AddAll.ts"
import * as harness from "../index.ts"
import { listen } from "../server.ts"
import { expectationNames } from "../verdicts/Expectations.ts"
import { controlActions } from "./ControlActions.ts"
import { liveEventsPath } from "./LiveView.ts"
import type { EnvironmentInput, SeedBody } from "./ControlInput.ts"

/** Why a member has no action. */
type Reason =
  | "a server needs neither: clients send requests to its URL"
  | "works on values of the program, such as tests and tokens"
  | "a type of error, which has a message in responses"
  | "a part of the object whose members are listed here"
  | "the server is a process, which its owner stops"
  | "waits for code of the same process"

type Mapping = Readonly<Record<string, `${"GET" | "POST" | "PATCH" | "DELETE"} /_fake/${string}` | Reason>>

/** Names of all keys of a mapping that are actions. */
const actionsIn = (mapping: Mapping): ReadonlyArray<string> =>
  Object.values(mapping).filter((value) => /^[A-Z]+ \/_fake/u.test(value))

const known = [...controlActions.map(({ method, path }) => `${method} ${path}`), `GET ${liveEventsPath}`]

/** Asserts that a mapping names each member of an object, and only actions that exist. */
const covers = (members: object, mapping: Mapping): void => {
  assert.sameMembers(Object.keys(mapping), Object.keys(members))
  assert.includeMembers(known, actionsIn(mapping) as Array<string>)
}

/** The fields of the first type that the second does not have. */
type Missing<Whole, Part> = Exclude<keyof Whole, keyof Part>

type RecordsOf<Kind extends keyof AllInput> =
  NonNullable<AllInput[Kind]> extends ReadonlyArray<infer Input> ? Input : never

type InputOf<Kind extends keyof typeof SeedBody.Type> =
  NonNullable<(typeof SeedBody.Type)[Kind]> extends ReadonlyArray<infer Input> ? Input : never

/** A list of fields, which only compiles if it has each of them. */
const fields = <Name extends string>(named: { readonly [Field in Name]: string }): ReadonlyArray<string> =>
  Object.keys(named)

describe("parity of the control API with the TypeScript API", () => {
  it("covers the fake and its environments", () => {
    covers(harness.createFake({ data: "empty" }), {
      route: "POST /_fake/routes",
      addAll: "POST /_fake/seed",
      addAllInSlices: "POST /_fake/seed",
      addEvent: "POST /_fake/seed",
      addIntegration: "POST /_fake/seed",
      addMessage: "POST /_fake/seed",
      addSubscriber: "POST /_fake/seed",
      addWorkflow: "POST /_fake/seed",
      apiKey: "POST /_fake/environments",
      baseUrl: "a server needs neither: clients send requests to its URL",
      clock: "POST /_fake/clock",
      deleteEnvironment: "DELETE /_fake/environments",
      environment: "POST /_fake/environments",
      environments: "GET /_fake/environments",
      exercisedSwitches: "GET /_fake/coverage",
      faults: "a part of the object whose members are listed here",
      fetch: "a server needs neither: clients send requests to its URL",
      generate: "POST /_fake/seed",
      journal: "a part of the object whose members are listed here",
      name: "GET /_fake/environments",
      now: "GET /_fake/clock",
      number: "GET /_fake/environments",
      removeRecord: "DELETE /_fake/workflows/{id}",
      reset: "POST /_fake/reset",
      restore: "POST /_fake/restore",
      setRateLimit: "POST /_fake/rate-limit",
      setSwitches: "POST /_fake/switches",
      snapshot: "GET /_fake/snapshot",
      state: "GET /_fake/state",
      switches: "GET /_fake/switches",
      servers: "a server needs neither: clients send requests to its URL",
      token: "GET /_fake/token",
      trigger: "POST /_fake/trigger",
      unmatchedRequests: "a part of the object whose members are listed here",
      updateRecord: "PATCH /_fake/integrations/{id}"
    })
  })

  it("covers faults, journal and unmatched requests", () => {
    const { faults, journal, unmatchedRequests } = harness.createFake({ data: "empty" })
    covers(faults, {
      add: "POST /_fake/faults",
      armed: "GET /_fake/faults",
      clear: "DELETE /_fake/faults",
      unfired: "POST /_fake/expect"
    })
    covers(journal, {
      capacity: "GET /_fake/journal",
      entries: "GET /_fake/journal",
      evicted: "GET /_fake/journal",
      subscribe: "GET /_fake/events"
    })
    covers(unmatchedRequests, { count: "GET /_fake/unmatched-requests", entries: "GET /_fake/unmatched-requests" })
  })

  it("covers clock and server", async () => {
    covers(manualClock(), {
      advance: "POST /_fake/clock",
      advanceAsync: "waits for code of the same process",
      isStopped: "GET /_fake/clock",
      now: "GET /_fake/clock",
      runNext: "POST /_fake/clock",
      schedule: "waits for code of the same process",
      set: "POST /_fake/clock"
    })
    await using server = await listen(harness.createFake({ data: "empty" }))
    covers(server, {
      close: "the server is a process, which its owner stops",
      down: "POST /_fake/down",
      port: "a server needs neither: clients send requests to its URL",
      up: "POST /_fake/up",
      url: "a server needs neither: clients send requests to its URL"
    })
  })

  it("covers all expectations", () => {
    const { waitFor, ...expectations } = harness.expectFake(harness.createFake({ data: "empty" }))
    assert.isFunction(waitFor)
    assert.include(known, "POST /_fake/wait")
    assert.sameMembers([...expectationNames], Object.keys(expectations))
  })

  it("covers the functions of the package", () => {
    covers(harness, {
      checkClient: "works on values of the program, such as tests and tokens",
      CheckFailed: "a type of error, which has a message in responses",
      CheckReport: "works on values of the program, such as tests and tokens",
      checkRules: "works on values of the program, such as tests and tokens",
      conclusionOf: "works on values of the program, such as tests and tokens",
      coverage: "GET /_fake/coverage",
      createFake: "POST /_fake/environments",
      expectFake: "POST /_fake/expect",
      explore: "works on values of the program, such as tests and tokens",
      ExploreReport: "works on values of the program, such as tests and tokens",
      Fault: "POST /_fake/faults",
      FaultNeverFired: "a type of error, which has a message in responses",
      JournalEvicted: "a type of error, which has a message in responses",
      manualClock: "POST /_fake/environments",
      readToken: "POST /_fake/environments",
      reproductionToken: "works on values of the program, such as tests and tokens",
      sweep: "works on values of the program, such as tests and tokens",
      SweepFailed: "a type of error, which has a message in responses",
      sweepFaults: "works on values of the program, such as tests and tokens",
      SweepReport: "works on values of the program, such as tests and tokens",
      timeline: "GET /_fake/timeline",
      UnmetExpectation: "a type of error, which has a message in responses",
      verdicts: "GET /_fake/verdicts",
      withFake: "works on values of the program, such as tests and tokens"
    })
  })

  // The type parameters list what the control API lacks; another missing field does not compile.
  it("covers the fields of options and records", () => {
    const none = fields<Missing<harness.EnvironmentOptions, typeof EnvironmentInput.Type>>({})
    const ofSubscribers = fields<Missing<RecordsOf<"subscribers">, InputOf<"subscribers">>>({})
    const ofIntegrations = fields<Missing<RecordsOf<"integrations">, InputOf<"integrations">>>({})
    const ofWorkflows = fields<Missing<RecordsOf<"workflows">, InputOf<"workflows">>>({})
    const ofSteps = fields<Missing<RecordsOf<"workflows">["steps"][number], InputOf<"workflows">["steps"][number]>>({})
    assert.isEmpty([...none, ...ofSubscribers, ...ofIntegrations, ...ofWorkflows, ...ofSteps])
    const ofMessages = fields<Missing<RecordsOf<"messages">, InputOf<"messages">>>({
      sequence: "the order of creation, which requests cannot choose"
    })
    const ofEvents = fields<Missing<RecordsOf<"events">, InputOf<"events">>>({
      sequence: "the order of creation, which requests cannot choose",
      seed: "chances of the jobs, which the environment draws"
    })
    assert.deepStrictEqual([...ofMessages, ...ofEvents], ["sequence", "sequence", "seed"])
  })
})
