/**
 * At which points of a request each form of a fault can happen.
 */
import type { InterferencePoint } from "../request/Interference.ts"

const everywhere = ["received", "validated", "committed", "answering"] as const
const whileAnswering = ["answering"] as const

/** The points of each form; a fault that names none happens at the first. */
export const faultPoints = {
  Latency: everywhere,
  Status: everywhere,
  RateLimited: everywhere,
  Html: everywhere,
  Refuse: ["received"],
  Ending: everywhere,
  SlowBody: whileAnswering,
  CutBody: whileAnswering,
  MalformedJson: whileAnswering,
  ContentType: whileAnswering,
  Drift: whileAnswering
} as const satisfies Readonly<Record<string, readonly [InterferencePoint, ...ReadonlyArray<InterferencePoint>]>>
