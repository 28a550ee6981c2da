import { duration } from "@signalbox/operator/text/Moment"
import type { Tone } from "../view/Row.ts"

/** One asynchronous job, shown while it runs. */
export interface Task {
  readonly id: number
  readonly label: string
  readonly startedAt: number
  /** Whether it changes data on the service. Quitting before the response leaves its result unknown. */
  readonly writes: boolean
  /** The current attempt, and the reason for the retry. */
  readonly note?: string
  /** How far it is: `4,000 of 20,000`. */
  readonly progress?: string
  /** When the next request is sent, in milliseconds since 1970; absent while one is on its way. */
  readonly waitsUntil?: number | undefined
}

/** A line of feedback; it stays until the next one or the next command. */
export interface Notice {
  readonly text: string
  readonly tone: Tone
}

/** A call that takes no longer is not worth a number. */
const shortest = 2_000

/** How long a task has been running, as its label is followed by it; empty at first. */
export const elapsed = ({ startedAt }: Task, now: number): string => {
  const milliseconds = now - startedAt
  if (milliseconds < shortest) return ""
  const seconds = Math.floor(milliseconds / 1000)
  return `, ${seconds < 60 ? `${seconds} s` : duration(seconds * 1000)}`
}

/** The note of a task about its attempts, with the seconds until the next one, and the key that stops it. */
export const attemptNote = ({ note, waitsUntil, writes }: Task, now: number, stop: string): string | undefined => {
  if (waitsUntil === undefined) return note
  const seconds = Math.max(1, Math.ceil((waitsUntil - now) / 1000))
  const next = `${note === undefined ? "next request" : "retry"} in ${seconds} s${writes ? "" : `, ${stop} stops`}`
  return note === undefined ? next : `${next}; ${note}`
}

/** Milliseconds until the time of the task that is shown has to change; `undefined` when none runs. */
export const untilElapsed = ({
  now,
  tasks
}: {
  readonly now: number
  readonly tasks: ReadonlyArray<Task>
}): number | undefined => {
  const task = tasks.at(-1)
  if (task === undefined) return undefined
  const left = (task.waitsUntil ?? now) - now
  // The end of a wait arrives as a message; no timer needed.
  if (left > 1000) return left % 1000 || 1000
  const milliseconds = Math.max(0, now - task.startedAt)
  return milliseconds < shortest ? shortest - milliseconds : 1000 - (milliseconds % 1000)
}
