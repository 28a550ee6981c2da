/**
 * Runs a target on its corpus and on mutations of it.
 */
import { createHash } from "node:crypto"
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import type { Coverage, Reached } from "./Coverage.ts"
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
  /** Where it is set, inputs that reach new code join the pool, too. */
  readonly coverage?: Coverage | undefined
}

/** The outcome of a run of {@link fuzz}. */
export interface Outcome {
  readonly finding?: Finding
  /** How many mutations ran. */
  readonly runs: number
  /** The inputs that reached new code. */
  readonly reached: ReadonlyArray<string>
}

/** A batch while inputs reach new code. */
const smallestBatch = 8

/** A batch while they do not: asking for the coverage takes as long as hundreds of short inputs. */
const largestBatch = 1_024

/** Everything that was reached so far. */
const makeKnown = () => {
  const known = new Map<string, Uint8Array>()
  return {
    hasAll: (reached: Reached): boolean =>
      [...reached].every(([name, characters]) => {
        const before = known.get(name)
        return before !== undefined && characters.every((ran, at) => ran === 0 || before[at] === 1)
      }),
    add: (reached: Reached): void => {
      for (const [name, characters] of reached) {
        const before = known.get(name)
        known.set(name, before === undefined ? characters : characters.map((ran, at) => ran | (before[at] ?? 0)))
      }
    }
  }
}

/** Returns which inputs reach code that no input reached before. */
const makeGuide = (coverage: Coverage, run: (input: string) => Promise<unknown>) => {
  const known = makeKnown()
  /** Runs the inputs again, and then each half of them, until one is left. */
  const search = async (inputs: ReadonlyArray<string>): Promise<ReadonlyArray<string>> => {
    coverage.take()
    for (const input of inputs) await run(input)
    const reached = coverage.take()
    if (known.hasAll(reached)) return []
    if (inputs.length === 1) {
      known.add(reached)
      return inputs
    }
    const middle = Math.ceil(inputs.length / 2)
    return [...(await search(inputs.slice(0, middle))), ...(await search(inputs.slice(middle)))]
  }
  return {
    /** The inputs of a batch, which has just run, that reach new code. */
    reaching: async (batch: ReadonlyArray<string>): Promise<ReadonlyArray<string>> => {
      const reached = coverage.take()
      const found = known.hasAll(reached) ? [] : await search(batch)
      // Code that no input reaches twice, such as that of a timer, would be searched again and again.
      known.add(reached)
      return found
    },
    know: () => known.add(coverage.take())
  }
}

/** Runs the corpus, then mutations; inputs with new behaviour join the pool. Stops at the first finding. */
export const fuzz = async (
  target: Target,
  corpus: ReadonlyArray<string>,
  { coverage, goesOn, seed }: FuzzOptions
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
  const guide = coverage && makeGuide(coverage, run)
  const reached: Array<string> = []
  let runs = 0
  for (const input of corpus) {
    const finding = await run(input)
    if (finding !== undefined) return { finding, runs, reached }
  }
  guide?.know()
  let size = smallestBatch
  while (goesOn(runs)) {
    const batch: Array<string> = []
    while (batch.length < size && goesOn(runs)) {
      const input = mutate(random, pool)
      runs += 1
      const finding = await run(input)
      if (finding !== undefined) return { finding, runs, reached }
      batch.push(input)
    }
    const found = (await guide?.reaching(batch)) ?? []
    pool.push(...found)
    reached.push(...found)
    size = found.length > 0 ? smallestBatch : Math.min(size * 2, largestBatch)
  }
  return { runs, reached }
}

/** Adds an input to the corpus of a target, so that every later run starts with it; returns its file. */
export const keep = (name: string, input: string, why: "finding" | "reached"): string => {
  const hash = createHash("sha256").update(input).digest("hex").slice(0, 12)
  const file = join(corpusFolder, name, `${why}-${hash}.txt`)
  mkdirSync(join(corpusFolder, name), { recursive: true })
  writeFileSync(file, input)
  return file
}
