/**
 * The fake for programs that use Effect.
 *
 * @example
 * ```ts
 * import { createFake } from "@signalbox/test-harness"
 * import { layer } from "@signalbox/test-harness/effect"
 * import * as Effect from "effect/Effect"
 * import * as HttpClient from "effect/http/HttpClient"
 *
 * const fake = createFake()
 * const list = HttpClient.get(`${fake.baseUrl}/v1/notifications`, {
 *   headers: { authorization: `ApiKey ${fake.apiKey}` }
 * })
 * const { status } = await Effect.runPromise(Effect.provide(list, layer(fake)))
 * status // => 200
 * ```
 */
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as HttpClient from "effect/http/HttpClient"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import type { Environment } from "./environment/Environment.ts"
import type { Fake } from "./environment/Fake.ts"
import type { ArmedFault } from "./faults/ArmedFault.ts"
import type { Fault } from "./faults/Fault.ts"
import { entryPointOf } from "./surfaces/EntryPoint.ts"
import { makeHttpClient } from "./surfaces/HttpClientSurface.ts"
import type { WatchedEnvironment } from "./verdicts/Timeline.ts"
import type { UnmetExpectation } from "./verdicts/UnmetExpectation.ts"
import { timeoutOf, unmet, type Seen, type WaitOptions, whenSeen } from "./verdicts/WaitFor.ts"

/**
 * Effect's HTTP client over a fake. Requests run on the caller's fiber and by the caller's clock, such as a `TestClock`.
 *
 * @throws TypeError for any value that `createFake` did not return.
 */
export const layer = (fake: Fake): Layer.Layer<HttpClient.HttpClient> =>
  Layer.succeed(HttpClient.HttpClient, makeHttpClient(entryPointOf(fake).admit))

/**
 * Arms a fault until the scope closes. If it never fired, the scope closes with a defect, `FaultNeverFired`, unless it
 * closes with a failure anyway.
 */
export const addFault = (
  environment: Pick<Environment, "faults">,
  fault: Fault
): Effect.Effect<ArmedFault, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.sync(() => environment.faults.add(fault)),
    (armed, exit) => Effect.sync(() => (Exit.isFailure(exit) ? armed.remove() : armed[Symbol.dispose]()))
  )

/** Waits, without polling, until the journal meets a condition; the timeout runs on the caller's clock. */
export const waitFor = (
  environment: WatchedEnvironment,
  predicate: (seen: Seen) => boolean,
  options: WaitOptions = {}
): Effect.Effect<void, UnmetExpectation> => {
  const timeoutMs = timeoutOf(options)
  return Effect.callback<void>((resume) => {
    const stop = whenSeen(environment, predicate, {
      reached: () => resume(Effect.void),
      failed: (error) => resume(Effect.die(error))
    })
    return Effect.sync(stop)
  }).pipe(Effect.timeoutOrElse({ duration: timeoutMs, orElse: () => Effect.fail(unmet(environment, timeoutMs)) }))
}
