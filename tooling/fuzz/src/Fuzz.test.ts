import { afterAll, assert, describe, it } from "@effect/vitest"
import { inspect } from "node:util"
import { runInThisContext } from "node:vm"
import { startCoverage } from "./Coverage.ts"
import { corpusOf, fuzz } from "./Fuzz.ts"
import { mutate, randomFrom } from "./Mutation.ts"
import { targets } from "./Targets.ts"

/** Targets that run whole calls or use sockets. */
const slow: ReadonlySet<string> = new Set(["decoder", "error-body", "headers", "http", "control"])

const runsOf = (name: string): number => (slow.has(name) ? 60 : 300)

describe("fuzzing", () => {
  afterAll(async () => {
    for (const { close } of Object.values(targets)) await close?.()
  })

  it.each(Object.entries(targets))("%s survives its corpus and mutations of seed 1", async (name, target) => {
    const runs = runsOf(name)
    const corpus = corpusOf(name)
    assert.isNotEmpty(corpus)
    const { finding } = await fuzz(target, corpus, { seed: 1, goesOn: (count) => count < runs })
    assert.isUndefined(finding, inspect(finding))
  })

  it("finds an input that breaks a rule", async () => {
    const run = (input: string) => {
      if (input.includes("\u0000")) throw new Error("broken")
      return "fine"
    }
    const { finding } = await fuzz({ run }, ["{}"], { seed: 1, goesOn: (count) => count < 5_000 })
    assert.include(finding?.input, "\u0000")
  })

  it("reaches code step by step where it follows the inputs that reach new blocks", async () => {
    const source = `(input) => {
      const steps = ["[]", "-1", "null", "%00"]
      if (!input.startsWith(steps[0])) return "same"
      if (!input.startsWith(steps[1], 2)) return "same"
      if (!input.startsWith(steps[2], 4)) return "same"
      if (input.startsWith(steps[3], 8)) throw new Error("broken")
      return "same"
    }`
    const outcomeOf = async (guided: boolean) => {
      using coverage = startCoverage((url) => url.endsWith("steps.js"))
      const run: unknown = runInThisContext(source, { filename: `steps.js` })
      assert(typeof run === "function")
      const target = { run: (input: string) => String(run(input)) }
      const goesOn = (count: number) => count < 50_000
      return await fuzz(target, ["{}"], { seed: 1, goesOn, coverage: guided ? coverage : undefined })
    }
    const guided = await outcomeOf(true)
    assert.match(guided.finding?.input ?? "", /^\[\]-1null%00/u)
    assert.isAtLeast(guided.reached.length, 2)
    const unguided = await outcomeOf(false)
    assert.deepStrictEqual([unguided.finding, unguided.runs, unguided.reached], [undefined, 50_000, []])
  })

  it("makes the same inputs from the same seed", () => {
    const inputs = () => {
      const random = randomFrom(7)
      return Array.from({ length: 50 }, () => mutate(random, ["{}", '{"a":[1]}']))
    }
    assert.deepStrictEqual(inputs(), inputs())
  })
})
