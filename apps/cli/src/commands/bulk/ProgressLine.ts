/**
 * Progress of a run on stderr: one line that is rewritten on a terminal, a line every ten seconds elsewhere.
 */
import { CheckObserver, type CheckProgress, type Progress, ProgressObserver } from "@signalbox/bulk"
import { duration } from "@signalbox/operator/text/Moment"
import * as Effect from "effect/Effect"
import { eraseLine } from "../../output/Progress.ts"
import { Process } from "../../process/Process.ts"

const number = (value: number): string => Math.round(value).toLocaleString("en-US")

const seconds = (milliseconds: number): string =>
  milliseconds < 60_000 ? `${Math.max(1, Math.ceil(milliseconds / 1000))}s` : duration(milliseconds)

const waits: Readonly<Record<string, string>> = {
  RateLimited: "the rate limit",
  TransportFailure: "the service, which cannot be reached",
  Timeout: "the service, which does not respond in time"
}

/** The cause of a wait in words, by the reason of the last failure. */
export const waitingFor = (reason: string): string => waits[reason] ?? "the service, which is not available"

/** One line: how much is done, how fast, how long it takes, what went wrong, what it waits for. */
export const progressLine = (
  {
    counts,
    perSecond,
    timeLeftMs,
    total,
    waiting
  }: Pick<Progress, "counts" | "perSecond" | "timeLeftMs" | "total" | "waiting">,
  now: number
): string => {
  const { failed, invalid, succeeded, unknown } = counts
  const done = succeeded + failed + invalid + unknown
  const share = total === undefined || total === 0 ? "" : ` of ${number(total)} (${Math.floor((done * 100) / total)}%)`
  return [
    `${number(done)}${share}`,
    `${number(perSecond)}/s`,
    ...(timeLeftMs === undefined || done === total ? [] : [`${seconds(timeLeftMs)} left`]),
    ...(failed > 0 ? [`${number(failed)} failed`] : []),
    ...(unknown > 0 ? [`${number(unknown)} unknown`] : []),
    ...(invalid > 0 ? [`${number(invalid)} invalid`] : []),
    ...(waiting === undefined ? [] : [`waiting ${seconds(waiting.until - now)} for ${waitingFor(waiting.reason)}`])
  ].join(", ")
}

/** One line: how much of an input is checked. */
const checkLine = ({ lines, share }: CheckProgress): string =>
  `${number(lines)} lines checked${share === undefined ? "" : ` (${Math.floor(share * 100)}%)`}`

const everyMs = 10_000

/** Prints progress; `undefined` where the user asked for quiet. */
export const makeProgressPrinter = Effect.fnUntraced(function* (quiet: boolean) {
  const { report, stderrIsTerminal, writeError } = yield* Process
  if (quiet) return undefined
  const context = yield* Effect.context<never>()
  const print = (text: string) => {
    const line = report(text)
    Effect.runForkWith(context)(stderrIsTerminal ? Effect.andThen(writeError(eraseLine), line) : line)
  }
  let next = 0
  const show = (lineAt: (now: number) => string) => {
    const now = Date.now()
    if (stderrIsTerminal) return print(lineAt(now))
    if (next === 0) next = now + everyMs
    if (now < next) return
    next = now + everyMs
    print(`${lineAt(now)}\n`)
  }
  return {
    show: (progress: Pick<Progress, "counts" | "perSecond" | "timeLeftMs" | "total" | "waiting">) =>
      show((now) => progressLine(progress, now)),
    showCheck: (progress: CheckProgress) => show(() => checkLine(progress)),
    clear: stderrIsTerminal ? writeError(eraseLine) : Effect.void
  }
})

/** Shows the progress of the runs of an effect. */
export const showProgress = Effect.fnUntraced(function* <A, E, R>(effect: Effect.Effect<A, E, R>, quiet: boolean) {
  const printer = yield* makeProgressPrinter(quiet)
  if (printer === undefined) return yield* effect
  return yield* effect.pipe(
    Effect.provideService(ProgressObserver, printer.show),
    Effect.provideService(CheckObserver, printer.showCheck),
    Effect.ensuring(printer.clear)
  )
})
