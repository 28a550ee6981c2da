import { afterAll, assert, describe, it } from "@effect/vitest"
import { inspect } from "node:util"
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

  it("makes the same inputs from the same seed", () => {
    const inputs = () => {
      const random = randomFrom(7)
      return Array.from({ length: 50 }, () => mutate(random, ["{}", '{"a":[1]}']))
    }
    assert.deepStrictEqual(inputs(), inputs())
  })
})
