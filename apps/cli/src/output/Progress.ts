/**
 * Progress of long work: one line on stderr that is rewritten, where stderr is a terminal that records do not scroll.
 */
import { outlet } from "@signalbox/operator/outlet/Outlet"
import { counted } from "@signalbox/operator/text/Counted"
import { duration } from "@signalbox/operator/text/Moment"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { Process } from "../process/Process.ts"

/** How often the line is rewritten. */
const everyMs = 200

/** Removes the line that the cursor is in. */
export const eraseLine = outlet("own").text("\r\u001B[2K")

/** The progress of one command. */
export interface Progress {
  /** Shows how much is done of what is wanted; an infinite total has no time left. */
  readonly show: (done: number, total: number) => Effect.Effect<void>
  /** Removes the line. */
  readonly clear: Effect.Effect<void>
}

/** The line: how much is done, how fast, how long the rest takes. */
export const progressLine = (word: string, done: number, total: number, elapsedMs: number): string => {
  const perSecond = elapsedMs === 0 ? 0 : (done * 1000) / elapsedMs
  const left = (total - done) / perSecond
  const time = Number.isFinite(left) && left > 0 ? `, ${duration(left * 1000)} left` : ""
  return `${counted(done, word)}, ${Math.round(perSecond)}/s${time}`
}

/** Starts measuring; shows nothing where the user asked for quiet or would not see it. */
export const startProgress = Effect.fnUntraced(function* (word: string, quiet: boolean) {
  const { report, stderrIsTerminal, stdoutIsTerminal, writeError } = yield* Process
  const start = yield* Clock.currentTimeMillis
  const isShown = stderrIsTerminal && !stdoutIsTerminal && !quiet
  let shownAt = start
  let isOpen = false
  const progress: Progress = {
    show: (done, total) =>
      Effect.flatMap(Clock.currentTimeMillis, (now) => {
        if (!isShown || now - shownAt < everyMs) return Effect.void
        shownAt = now
        isOpen = true
        return Effect.andThen(writeError(eraseLine), report(progressLine(word, done, total, now - start)))
      }),
    clear: Effect.suspend(() => (isOpen ? writeError(eraseLine) : Effect.void))
  }
  return progress
})
