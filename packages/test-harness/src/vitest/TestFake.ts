/**
 * The fake of one test: its own environments in a fake that all tests of the process share, so that shared ids are
 * detected.
 */
import { withConsoleView } from "../ConsoleView.ts"
import { createFake, type Fake } from "../Fake.ts"
import type { Environment } from "../Environment.ts"
import type { EnvironmentOptions } from "../EnvironmentOptions.ts"
import * as Random from "../state/Random.ts"
import { entryPointOf, registerEntryPoint } from "../surfaces/EntryPoint.ts"
import { expectFake } from "../verdicts/ExpectFake.ts"
import { leakIssue } from "../verdicts/LeakIssue.ts"
import { timeline } from "../verdicts/Timeline.ts"
import { UnmetExpectation } from "../verdicts/UnmetExpectation.ts"

let shared: Fake | undefined

/** The tests by the numbers of their environments. */
const testNames = new Map<number, string>()

/** The fake of the process. */
const sharedFake = (): Fake => {
  shared ??= createFake({ data: "empty" })
  return shared
}

/** Makes the fake of a test, by default without data; data and chances depend on the name of the test. */
export const makeTestFake = (name: string, options: EnvironmentOptions): Fake => {
  const all = sharedFake()
  const make = (given: EnvironmentOptions, place: number): Environment => {
    const made = all.environment({ seed: Random.hash(name, place), data: "empty", ...given })
    testNames.set(made.number, name)
    return made
  }
  let others: ReadonlyArray<Environment> = []
  const fake: Fake = withConsoleView("Fake", {
    ...make(options, 0),
    baseUrl: all.baseUrl,
    fetch: all.fetch,
    environment: (given = {}) => {
      const made = make(given, others.length + 1)
      others = [...others, made]
      return made
    },
    deleteEnvironment: (apiKey) => {
      all.deleteEnvironment(apiKey)
      others = others.filter((other) => other.apiKey !== apiKey)
    },
    environments: () => [fake, ...others]
  })
  registerEntryPoint(fake, entryPointOf(all))
  return fake
}

const ownerOf = (environment: number): string => {
  const name = testNames.get(environment)
  return name === undefined ? `environment ${environment}` : `test ${JSON.stringify(name)}`
}

/** Throws if a test shares data with another test, or if a fault never fired. */
export const checkTestFake = (fake: Fake): void => {
  for (const environment of fake.environments()) {
    const leak = leakIssue(environment, ownerOf)
    if (leak !== undefined) throw new UnmetExpectation(environment, leak)
    expectFake(environment).noUnfiredFaults()
  }
}

/** The timelines of all environments that got requests, or might have got unmatched ones. */
export const timelines = (fake: Fake): ReadonlyArray<string> =>
  fake
    .environments()
    .filter(({ journal, unmatchedRequests }) => journal.entries().length + unmatchedRequests.count() > 0)
    .map((environment) => timeline(environment))
