import * as Effect from "effect/Effect"
import { Process } from "../../process/Process.ts"
import type { FakeInput } from "./FakeFlags.ts"
import { startFake } from "./FakeServer.ts"

/** Serves the fake until a signal; prints where it is in one line of JSON. */
export const serve = Effect.fnUntraced(function* (input: FakeInput) {
  const { write } = yield* Process
  const address = yield* startFake(input)
  yield* write(`${JSON.stringify(address)}\n`)
  return yield* Effect.never
}, Effect.scoped)
