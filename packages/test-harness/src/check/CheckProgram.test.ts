import { assert, describe, it } from "@effect/vitest"
import { checkFaults, type CheckProgram, generateProgram, smallerPrograms } from "./CheckProgram.ts"

const programs: ReadonlyArray<CheckProgram> = Array.from({ length: 300 }, (_, number) =>
  generateProgram(number, {
    seed: 1,
    environment: {},
    isServed: false,
    aborts: true,
    concurrent: false,
    faults: checkFaults(false),
    declared: []
  })
)

describe("generated programs", () => {
  it("filter by subscriber only where the encoding of one value is certain", () => {
    const presets = new Set(
      programs.flatMap(({ calls, environment: { preset } }) =>
        calls.flatMap((call) => ("subscriberIds" in call ? [preset] : []))
      )
    )
    assert.deepStrictEqual([...presets].toSorted(), ["document", "observed"])
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
