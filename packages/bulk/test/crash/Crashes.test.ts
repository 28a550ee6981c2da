import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { tempFolder } from "../TestService.ts"
import { type CrashOptions, importWithCrashes } from "./Crashes.ts"

const crash = (options: Omit<CrashOptions, "folder">) =>
  Effect.flatMap(tempFolder, (folder) => Effect.promise(() => importWithCrashes({ ...options, folder })))

describe("an import that is killed again and again", () => {
  it.live("applies every line once where the service honours keys", () =>
    Effect.gen(function* () {
      const lines = 3000
      const { applied, report, status } = yield* crash({ lines, kills: 4, seed: 1, honoursKeys: true })
      assert.deepStrictEqual(
        report.map(({ line, outcome }) => `${line} ${outcome}`),
        Array.from({ length: lines }, (_, at) => `${at + 1} succeeded`)
      )
      assert.deepStrictEqual(
        applied.flatMap((times, at) => (times === 1 ? [] : [`line ${at + 1}: ${times}`])),
        []
      )
      assert.deepStrictEqual([status.state, status.inDoubt, status.maybeTwice], ["finished", 0, 0])
    }).pipe(Effect.scoped)
  )

  it.live(
    "appends no device token twice where the service does not, and reports the lines that it cannot know of",
    () =>
      Effect.gen(function* () {
        const lines = 600
        const { applied, report, status } = yield* crash({ lines, kills: 2, seed: 2, honoursKeys: false })
        assert.deepStrictEqual(
          report.map(({ line }) => line),
          Array.from({ length: lines }, (_, at) => at + 1)
        )
        for (const [at, { line, outcome }] of report.entries()) {
          if (outcome === "succeeded") assert.strictEqual(applied[at], 1, `line ${line}`)
          else assert.isTrue(outcome === "unknown" && (applied[at] ?? 0) <= 1, `line ${line}`)
        }
        assert.isAbove(status.counts.unknown, 0)
        // Claims are one batch ahead of what is sent.
        assert.isAtMost(status.counts.unknown, 2 * 3 * 16)
      }).pipe(Effect.scoped)
  )
})
