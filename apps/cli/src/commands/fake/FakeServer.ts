import { createFake, readToken } from "@signalbox/test-harness"
import { listen, readPreset } from "@signalbox/test-harness/server"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { UsageError } from "../../failure/CommandError.ts"
import type { FakeInput } from "./FakeFlags.ts"

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

const optionsOf = ({ data, preset, reproduce, seed }: FakeInput) => ({
  ...(Option.isSome(reproduce) ? readToken(reproduce.value) : {}),
  ...(Option.isSome(preset) ? readPreset(preset.value) : {}),
  ...(Option.isSome(seed) ? { seed: seed.value } : {}),
  ...(Option.isSome(data) ? { data: data.value } : {})
})

/** The fake on a port of this machine, until the scope closes. */
export const startFake = Effect.fnUntraced(function* (input: FakeInput) {
  const { port } = input
  const fake = yield* Effect.try({
    try: () => createFake(optionsOf(input)),
    catch: (error) => new UsageError({ message: messageOf(error) })
  })
  const server = yield* Effect.acquireRelease(
    Effect.tryPromise({
      try: () => listen(fake, { port }),
      catch: (error) => new UsageError({ message: `--port ${port}: cannot listen (${messageOf(error)})` })
    }),
    (server) => Effect.promise(() => server.close())
  )
  return { url: server.url, apiKey: fake.apiKey }
})
