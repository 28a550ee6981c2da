import { assert, describe, it } from "@effect/vitest"
import { createFake } from "../environment/Fake.ts"
import {
  checkFaults,
  type CheckProgram,
  generateProgram,
  plainProgram,
  smallerPrograms,
  strangers
} from "./CheckProgram.ts"

const options = {
  seed: 1,
  environment: {},
  isServed: false,
  aborts: true,
  concurrent: false,
  faults: checkFaults(false),
  declared: []
}

const programs: ReadonlyArray<CheckProgram> = Array.from({ length: 300 }, (_, number) =>
  generateProgram(number, options)
)

describe("generated programs", () => {
  const calls = programs.flatMap((program) => program.calls)

  it("have every input of the contract that a client can get wrong", () => {
    const upserts = calls.filter((call) => call.operation === "credentials.upsert")
    const lists = calls.filter((call) => call.operation === "events.list")
    assert.isAbove(new Set(upserts.map(({ providerId }) => providerId)).size, 10)
    for (const character of ["/", "?", "#", "%", "+", " ", "@", "田", "N"])
      assert.isTrue(
        upserts.some(({ subscriberId }) => subscriberId.includes(character)),
        character
      )
    for (const character of ["&", "#", "%", "+", " ", "N"])
      assert.isTrue(
        lists.some((call) => [call.transactionId, call.subscriberIds].join().includes(character)),
        character
      )
    const tokens = upserts.map(({ credentials: { deviceTokens = [] } }) => deviceTokens)
    assert.isTrue(tokens.flat().some((token) => token !== token.toLowerCase()))
    assert.isTrue(tokens.some((one) => one.join() !== one.toSorted().join()))
    for (const name of ["transactionId", "subscriberIds", "channels", "after", "page"] as const)
      assert.isTrue(
        lists.some((call) => call[name] !== undefined),
        name
      )
    assert.isTrue(lists.some(({ subscriberIds = [] }) => subscriberIds.length === 2))
    assert.isTrue(upserts.some(({ integrationIdentifier }) => integrationIdentifier !== undefined))
    const contents = (program: CheckProgram) =>
      program.calls.map((call) => JSON.stringify({ ...call, abortAfterMs: 0 }))
    assert.isTrue(programs.some((program) => new Set(contents(program)).size < program.calls.length))
  })
})

describe("upserts of a program", () => {
  const upserts = programs.map(({ calls }) => calls.filter((call) => call.operation === "credentials.upsert"))
  const subscribersOf = (calls: (typeof upserts)[number]) => new Set(calls.map(({ subscriberId }) => subscriberId))

  it("are sometimes about one subscriber", () => {
    assert.isTrue(upserts.some((calls) => subscribersOf(calls).size < calls.length))
  })

  it("never store the same credentials twice, of which a service may keep the last ones only", () => {
    for (const calls of upserts) {
      const stored = calls
        .filter(({ subscriberId }) => !strangers.some((id) => id === subscriberId))
        .map(({ providerId, subscriberId }) => `${subscriberId} ${providerId}`)
      assert.strictEqual(new Set(stored).size, stored.length, stored.join())
    }
  })
})

describe("the program without faults", () => {
  it("has an upsert for an integration of its service, whatever the seed", () => {
    for (let seed = 1; seed <= 60; seed += 1) {
      const { calls, environment } = plainProgram({ ...options, seed })
      const providers = createFake(environment)
        .state()
        .integrations.map(({ providerId }) => providerId)
      for (const call of calls) if (call.operation === "credentials.upsert") assert.include(providers, call.providerId)
    }
  })
})

describe("smaller programs", () => {
  const codeOf = (program: CheckProgram): string => JSON.stringify(program)

  it("are different ones, each once", () => {
    const single = programs.filter(({ environment: { faults = [] } }) => faults.length < 2).slice(0, 50)
    for (const program of [single, ...single.map(smallerPrograms)].flat()) {
      const codes = [program, ...smallerPrograms(program)].map(codeOf)
      assert.strictEqual(new Set(codes).size, codes.length, codes.join("\n"))
    }
  })

  it("leave out switches and preset, together and one by one", () => {
    const program = programs.find(
      ({ environment: { preset, switches } }) => preset !== undefined && switches !== undefined
    )
    assert(program)
    const { preset, switches, ...rest } = program.environment
    const environments = smallerPrograms(program).map(({ environment }) => environment)
    for (const smaller of [rest, { ...rest, preset }, { ...rest, switches }]) assert.deepInclude(environments, smaller)
  })
})
