import { createFake } from "@signalbox/test-harness"
import { listen, readPreset } from "@signalbox/test-harness/server"
import * as Effect from "effect/Effect"
import { UsageError } from "../../failure/CommandError.ts"
import type { FakeInput } from "./FakeFlags.ts"

/** The fake on a port of this machine, until the scope closes. */
export const startFake = Effect.fnUntraced(function* ({ data, port, preset, seed }: FakeInput) {
  const behaviour = yield* Effect.try({
    try: () => readPreset(preset),
    catch: (error) => new UsageError({ message: error instanceof Error ? error.message : String(error) })
  })
  const fake = createFake({ ...behaviour, data, seed })
  const server = yield* Effect.acquireRelease(
    Effect.tryPromise({
      try: () => listen(fake, { port }),
      catch: (error) =>
        new UsageError({
          message: `--port ${port}: cannot listen (${error instanceof Error ? error.message : String(error)})`
        })
    }),
    (server) => Effect.promise(() => server.close())
  )
  return { url: server.url, apiKey: fake.apiKey }
})
