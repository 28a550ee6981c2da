import { createFake, type EnvironmentOptions } from "@signalbox/test-harness"
import { listen } from "@signalbox/test-harness/server"
import * as Effect from "effect/Effect"
import { UsageError } from "../../failure/CommandError.ts"
import type { FakeInput } from "./FakeFlags.ts"

const presets = ["document", "observed", "adversarial"] as const

type Preset = NonNullable<EnvironmentOptions["preset"]>

const isPreset = (name: string): name is Preset =>
  presets.some((preset) => preset === name) || /^seeded\(\d{1,15}\)$/u.test(name)

/** The fake on a port of this machine, until the scope closes. */
export const startFake = Effect.fnUntraced(function* ({ data, port, preset, seed }: FakeInput) {
  if (!isPreset(preset)) {
    return yield* new UsageError({
      message: `--preset is "${preset}"; expected one of: ${presets.join(", ")}, seeded(N)`
    })
  }
  const fake = createFake({ data, preset, seed })
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
