import { outlet } from "@signalbox/operator/outlet/Outlet"
import { messageOf } from "@signalbox/operator/text/SystemReason"
import { createFake, type Switches } from "@signalbox/test-harness"
import { type Arguments, listenError } from "@signalbox/test-harness/internal/executable/Arguments"
import type { Values } from "@signalbox/test-harness/internal/executable/Options"
import { listen, whenPackageManagerEnds } from "@signalbox/test-harness/server"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import { findCalibrated } from "../../connection/Profile.ts"
import { UsageError, usage } from "../../failure/CommandError.ts"
import { Process } from "../../process/Process.ts"
import type { fakeOptions } from "./Fake.ts"

/** The arguments of a fake, and the values that they were read from. */
export interface FakeInput {
  readonly arguments: Arguments
  readonly values: Values<typeof fakeOptions>
}

/** The behaviour and the vendor of a connection's service. */
const likeProfile = Effect.fnUntraced(function* ({ like, preset, reproduce, vendor: given }: FakeInput["values"]) {
  if (like === undefined) return {}
  if (preset !== undefined) return yield* usage("--like and --preset cannot be used together")
  if (reproduce !== undefined) return yield* usage("--like and --reproduce cannot be used together")
  const { calibration, vendor } = yield* findCalibrated(like)
  const switches = Object.entries(calibration.switches).map(([name, { value }]) => [name, value] as const)
  return {
    // Making the fake checks the names and values.
    switches: Object.fromEntries(switches) as Partial<Switches>,
    ...(vendor === undefined || given !== undefined ? {} : { vendor })
  }
})

/** The fake on a port of this machine, until the scope closes. */
export const startFake = Effect.fnUntraced(function* ({ arguments: { environment, ...place }, values }: FakeInput) {
  const profile = yield* likeProfile(values)
  const fake = yield* Effect.try({
    try: () => createFake({ ...environment, ...profile }),
    catch: (error) => new UsageError({ message: messageOf(error) })
  })
  const server = yield* Effect.acquireRelease(
    Effect.tryPromise({
      try: () => listen(fake, place),
      catch: (error) => new UsageError({ message: messageOf(listenError(place, error)) })
    }),
    (server) => Effect.promise(() => server.close())
  )
  return { url: server.url, apiKey: fake.apiKey }
})

/** Serves the fake until a signal, or until `npx` or another package manager that started it ends. Prints where it is. */
export const serve = Effect.fnUntraced(function* (input: FakeInput) {
  const { write } = yield* Process
  // Watched from the start: a program that reads the address may end the package manager at once.
  const orphaned = yield* Deferred.make<void>()
  whenPackageManagerEnds(() => Deferred.doneUnsafe(orphaned, Effect.void))
  const address = yield* startFake(input)
  yield* write(outlet("keys").json(address))
  yield* Deferred.await(orphaned)
}, Effect.scoped)
