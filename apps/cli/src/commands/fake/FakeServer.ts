import { outlet } from "@signalbox/operator/outlet/Outlet"
import { messageOf } from "@signalbox/operator/text/SystemReason"
import { createFake, type Switches } from "@signalbox/test-harness"
import { listen, readFakeFlags, whenPackageManagerEnds } from "@signalbox/test-harness/server"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { findCalibrated } from "../../connection/Profile.ts"
import { UsageError, usage } from "../../failure/CommandError.ts"
import { Process } from "../../process/Process.ts"
import type { FakeInput } from "./FakeFlags.ts"

/** The behaviour and the vendor of a connection's service. */
const likeProfile = Effect.fnUntraced(function* ({ like, preset, reproduce }: FakeInput) {
  if (Option.isNone(like)) return {}
  if (Option.isSome(preset)) return yield* usage("--like and --preset cannot be used together")
  if (Option.isSome(reproduce)) {
    return yield* usage("--like and --reproduce cannot be used together")
  }
  const { calibration, vendor } = yield* findCalibrated(like.value)
  const switches = Object.entries(calibration.switches).map(([name, { value }]) => [name, value] as const)
  return {
    // Making the fake checks the names and values.
    switches: Object.fromEntries(switches) as Partial<Switches>,
    ...(vendor === undefined ? {} : { vendor })
  }
})

const optionsOf = ({ data, preset, reproduce, seed }: FakeInput) =>
  readFakeFlags({
    reproduce: Option.getOrUndefined(reproduce),
    preset: Option.getOrUndefined(preset),
    seed: Option.getOrUndefined(seed),
    data: Option.getOrUndefined(data)
  })

/** The fake on a port of this machine, until the scope closes. */
export const startFake = Effect.fnUntraced(function* (input: FakeInput) {
  const { port } = input
  const profile = yield* likeProfile(input)
  const fake = yield* Effect.try({
    try: () => createFake({ ...optionsOf(input), ...profile }),
    catch: (error) => new UsageError({ message: messageOf(error) })
  })
  const server = yield* Effect.acquireRelease(
    Effect.tryPromise({
      try: () => listen(fake, { port }),
      catch: (error) =>
        new UsageError({
          message:
            error instanceof Error && "code" in error && error.code === "EADDRINUSE"
              ? `--port ${port} is in use; choose another port, or 0 for a free one`
              : `--port ${port}: cannot listen: ${messageOf(error)}`
        })
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
