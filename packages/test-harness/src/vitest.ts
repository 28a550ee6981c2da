/**
 * The fake as a fixture of vitest.
 *
 * @example
 * ```ts
 * import { test } from "@signalbox/test-harness/vitest"
 *
 * test("lists what was triggered", async ({ fake, expect }) => {
 *   fake.addWorkflow({ identifier: "welcome", steps: [{ type: "in_app" }] })
 *   fake.trigger({ workflow: "welcome", to: "ana" })
 *   const response = await fake.fetch(`${fake.baseUrl}/v1/notifications?subscriberIds=ana`, {
 *     headers: { authorization: `ApiKey ${fake.apiKey}` }
 *   })
 *   expect(response.status).toBe(200)
 * })
 * ```
 */
import { type TestAPI, type TestContext, test as vitestTest } from "vitest"
import type { EnvironmentOptions } from "./environment/EnvironmentOptions.ts"
import type { Fake } from "./environment/Fake.ts"
import type { Coverage } from "./provenance/Coverage.ts"
import { checkTestFake, makeTestFake, testCoverage, timelines } from "./fixtures/TestFake.ts"

/** The fixtures of tests with the fake. */
export interface FakeFixtures {
  /** The options of the fake; change them with `test.override({ fakeOptions: … })`. */
  readonly fakeOptions: EnvironmentOptions
  /**
   * A fake whose environment belongs to this test alone. By default it is empty and its seed comes from the name of the
   * test. The test fails if a request names an id of another test, or if an armed fault never fired; if the test fails,
   * the timeline of its requests is printed.
   */
  readonly fake: Fake
}

/** Whether an error of the test contains the timeline already. */
const isShown = ({ result }: TestContext["task"]): boolean =>
  result?.errors?.some(({ name }) => name === "UnmetExpectation") === true

const noOptions: EnvironmentOptions = {}

/**
 * The fixtures, for test functions with other fixtures: `test.extend(fakeFixtures)`.
 */
export const fakeFixtures = {
  fakeOptions: noOptions,
  fake: async (
    { fakeOptions, task }: Pick<TestContext, "task"> & Pick<FakeFixtures, "fakeOptions">,
    use: (fake: Fake) => Promise<void>
  ): Promise<void> => {
    const fake = makeTestFake(task.fullTestName, fakeOptions)
    await use(fake)
    if (task.result?.state !== "fail") return checkTestFake(fake)
    if (!isShown(task)) for (const text of timelines(fake)) console.log(text)
  }
}

/** The `test` of vitest with the fake as a fixture. */
export const test: TestAPI<FakeFixtures> = vitestTest.extend<FakeFixtures>(fakeFixtures)

/** Everything that the tests of the process with this fixture exercised until now; see `coverage`. */
export const suiteCoverage = (): Coverage => testCoverage()

export { test as it }
