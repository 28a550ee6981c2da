import type { ActivityJob, ActivityNotification } from "@signalbox/core/Records"
import { jobResult, type ResultKind } from "@signalbox/operator/status/Status"
import type { Glyphs } from "../theme/Glyphs.ts"
import { type Span, span, type Tone } from "./Row.ts"
import type { Settings } from "../state/Settings.ts"

const tones: Readonly<Record<ResultKind, Tone>> = {
  ok: "ok",
  failed: "failed",
  warning: "warning",
  waiting: "waiting",
  queued: "waiting",
  skipped: "dim",
  unknown: "warning"
}

/** The tone of a result. */
export const toneOf = (kind: ResultKind): Tone => tones[kind]

/** The sign of a result. */
export const signOf = (kind: ResultKind, glyphs: Glyphs): string => glyphs[kind]

// The service decides what is looked up here: an object has a "constructor", too.
const letters: ReadonlyMap<string, string> = new Map([
  ["in_app", "I"],
  ["email", "E"],
  ["sms", "S"],
  ["chat", "C"],
  ["push", "P"],
  ["digest", "D"],
  ["trigger", "T"],
  ["delay", "W"],
  ["throttle", "H"],
  ["custom", "X"]
])

/** The meanings of the letters of the step strip. */
export const legend = "I in-app, E e-mail, S sms, C chat, P push, D digest, W wait, H throttle, X custom"

/** The jobs of an event as letters, each with the sign of its result; a `+` where there are more than fit. */
export const steps = (event: ActivityNotification, columns: number, settings: Settings): ReadonlyArray<Span> => {
  const jobs = (event.jobs ?? []).filter(({ type }) => type !== "trigger")
  const spans: Array<Span> = []
  let left = columns
  for (const [index, job] of jobs.entries()) {
    if (left < (index < jobs.length - 1 ? 5 : 3)) {
      spans.push(span("+", "dim"))
      left -= 1
      break
    }
    const { kind } = jobResult(job)
    spans.push(
      span(letters.get(job.type) ?? "?", "plain"),
      span(signOf(kind, settings.glyphs), kind === "ok" ? "plain" : toneOf(kind)),
      span(" ")
    )
    left -= 3
  }
  return [...spans, span(" ".repeat(Math.max(0, left)))]
}

/** The name of a step: its own name, else its type. */
export const stepName = (job: ActivityJob): string => job.step.name ?? job.type
