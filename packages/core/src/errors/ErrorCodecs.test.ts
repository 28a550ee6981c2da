import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as ErrorCodecs from "./ErrorCodecs.ts"
import { isSignalboxError } from "./SignalboxError.ts"

describe("the codec of errors", () => {
  it.effect.prop(
    "reads every error back with every fact",
    [Schema.toEncoded(ErrorCodecs.SignalboxError)],
    ([json]) =>
      Effect.gen(function* () {
        const error = yield* Schema.decodeEffect(ErrorCodecs.SignalboxError)(json)
        assert.isTrue(isSignalboxError(error))
        assert.strictEqual(error.constructor.name, json._tag)
        assert.deepStrictEqual(yield* Schema.encodeEffect(ErrorCodecs.SignalboxError)(error), json)
      }),
    { arbitrary: { runs: 300 } }
  )
})
