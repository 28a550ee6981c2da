/**
 * The service that programs with many writes call: empty, except for two integrations.
 */
import { createFake, type EnvironmentOptions, type Fake, type FakeClock } from "@signalbox/test-harness"
import { start } from "./VirtualTime.ts"

/** The service of a scenario. */
export interface WriteServiceOptions {
  readonly seed: number
  readonly preset: "document" | "observed" | "adversarial" | "seeded"
  /** Whether the service applies requests with one idempotency key once. */
  readonly honoursKeys: boolean
  /** How far the service's clock is ahead of the client's, in milliseconds. */
  readonly ahead?: number
}

/** When everything that a service has from the start was created: a minute before the scenario starts. */
export const createdAt = start - 60_000

/** An environment of the service. */
export const writeEnvironment = (
  { ahead = 0, honoursKeys, preset, seed }: WriteServiceOptions,
  clock: FakeClock
): EnvironmentOptions => ({
  seed,
  data: "empty",
  clock: { ...clock, now: () => clock.now() + ahead },
  preset: preset === "seeded" ? `seeded(${seed})` : preset,
  switches: {
    // A request whose client stopped can meet a later one; no client can prevent that.
    "credentials.concurrent": "serialised",
    ...(honoursKeys
      ? { "idempotency.sameBody": "replay", "idempotency.inFlight": "409" }
      : { "idempotency.sameBody": "apply" })
  }
})

/** Makes the service of a scenario; the scenario adds its subscribers and records. */
export const makeWriteService = (options: WriteServiceOptions, clock: FakeClock): Fake => {
  const fake = createFake(writeEnvironment(options, clock))
  for (const providerId of ["fcm", "slack"] as const) fake.addIntegration({ providerId, createdAt })
  return fake
}
