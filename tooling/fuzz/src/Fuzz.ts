/**
 * Runs a target on its corpus and on mutations of it.
 */
import { createHash } from "node:crypto"
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { mutate, randomFrom } from "./Mutation.ts"
import type { Target } from "./Targets.ts"

const corpusFolder = fileURLToPath(new URL("../corpus", import.meta.url))

/** The inputs that are kept for a target. */
export const corpusOf = (name: string): ReadonlyArray<string> =>
  readdirSync(join(corpusFolder, name))
    .toSorted()
    .map((file) => readFileSync(join(corpusFolder, name, file), "utf8"))

/** An input that breaks a rule. */
export interface Finding {
  readonly input: string
  readonly error: unknown
}

/** Options of {@link fuzz}. */
export interface FuzzOptions {
  readonly seed: number
  /** Whether to run another mutation, given how many have run. */
  readonly goesOn: (count: number) => boolean
}

/** The outcome of a run of {@link fuzz}. */
export interface Outcome {
  readonly finding?: Finding
  /** How many mutations ran. */
  readonly runs: number
}

/** Runs the corpus, then mutations; inputs with new behaviour join the pool. Stops at the first finding. */
export const fuzz = async (
  target: Target,
  corpus: ReadonlyArray<string>,
  { goesOn, seed }: FuzzOptions
): Promise<Outcome> => {
  const random = randomFrom(seed)
  const pool = [...corpus]
  const behaviours = new Set<string>()
  const run = async (input: string): Promise<Finding | undefined> => {
    try {
      const behaviour = await target.run(input)
      if (!behaviours.has(behaviour) && behaviours.size < 1_000) pool.push(input)
      behaviours.add(behaviour)
      return undefined
    } catch (error) {
      return { input, error }
    }
  }
  let runs = 0
  for (const input of corpus) {
    const finding = await run(input)
    if (finding !== undefined) return { finding, runs }
  }
  while (goesOn(runs)) {
    runs += 1
    const finding = await run(mutate(random, pool))
    if (finding !== undefined) return { finding, runs }
  }
  return { runs }
}

/** Adds a finding to the corpus of a target, so that every later run starts with it; returns its file. */
export const keep = (name: string, input: string): string => {
  const hash = createHash("sha256").update(input).digest("hex").slice(0, 12)
  const file = join(corpusFolder, name, `finding-${hash}.txt`)
  mkdirSync(join(corpusFolder, name), { recursive: true })
  writeFileSync(file, input)
  return file
}
