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
import type { EnvironmentOptions } from "./EnvironmentOptions.ts"
import type { Fake } from "./Fake.ts"
import { checkTestFake, makeTestFake, timelines } from "./vitest/TestFake.ts"

/** What tests with the fake get. */
export interface FakeFixtures {
  /** How the fake of a test is made; give other options with `test.override({ fakeOptions: … })`. */
  readonly fakeOptions: EnvironmentOptions
  /**
   * A fake with an environment that belongs to the test alone. It is empty, and its seed comes from the name of the
   * test, unless the options say otherwise. After the test it fails the test when a request named what belongs to another test, or when an
   * armed fault never fired; when the test has failed, it prints what was asked and answered.
   */
  readonly fake: Fake
}

/** Whether the errors of a test have shown what was asked and answered already. */
const isShown = ({ result }: TestContext["task"]): boolean =>
  result?.errors?.some(({ name }) => name === "UnmetExpectation") === true

const noOptions: EnvironmentOptions = {}

/**
 * The fixtures, for test functions that have fixtures of their own: `test.extend(fakeFixtures)`.
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

/** The `test` of vitest, with the fake. */
export const test: TestAPI<FakeFixtures> = vitestTest.extend<FakeFixtures>(fakeFixtures)

export { test as it }
