import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { makeService } from "../../test/TestService.ts"
import type { InputLine } from "../input/InputLine.ts"
import { makeSending, onlyLines } from "./LineWork.ts"

const line = (number: number): InputLine => ({
  line: number,
  range: { offset: 0, bytes: 0, firstLine: number },
  content: () => ({
    value: {
      subscriberId: `user-${number}`,
      providerId: "slack",
      credentials: { webhookUrl: `https://hook.test/${number}` }
    },
    columnOf: () => undefined
  })
})

describe("sending", () => {
  it.live("starts with the first line where reading lines takes several turns of the event loop", () =>
    Effect.gen(function* () {
      const concurrency = 4
      const recorded: Array<number> = []
      let stop: Effect.Effect<void> = Effect.void
      const sending = yield* makeSending<never>({
        kind: "import",
        defaults: {},
        delivery: { runId: "run", atLeastOnce: false, keysHonoured: false, environment: undefined },
        concurrency,
        claimSize: 2,
        next: onlyLines(Array.from({ length: 6000 }, (_, at) => line(at + 1))),
        factsOf: () => ({
          generation: 0,
          isInDoubt: false,
          isUnknown: false,
          isKeyExpired: false,
          sentWith: undefined
        }),
        claim: () => Effect.void,
        record: (records) => {
          recorded.push(...records.map((each) => each.line))
          return recorded.length === concurrency ? stop : Effect.void
        }
      }).pipe(Effect.provide(makeService().layer))
      stop = sending.stop
      yield* sending.run
      assert.isAtLeast(recorded.length, concurrency)
      assert.isAtMost(Math.max(...recorded), 2 * concurrency)
    })
  )
})
