import { whenPackageManagerEnds } from "@signalbox/test-harness/server"
import { outlet } from "@signalbox/operator/outlet/Outlet"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import { Process } from "../../process/Process.ts"
import type { FakeInput } from "./FakeFlags.ts"
import { startFake } from "./FakeServer.ts"

/** Serves the fake until a signal, or until `npx` or another package manager that started it ends. Prints where it is. */
export const serve = Effect.fnUntraced(function* (input: FakeInput) {
  const { write } = yield* Process
  // Watched from the start: who reads the address may end the package manager at once.
  const orphaned = yield* Deferred.make<void>()
  whenPackageManagerEnds(() => Deferred.doneUnsafe(orphaned, Effect.void))
  const address = yield* startFake(input)
  yield* write(outlet("keys").json(address))
  yield* Deferred.await(orphaned)
}, Effect.scoped)
