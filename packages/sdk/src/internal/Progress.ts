import type { Attempt, ErrorFacts } from "@signalbox/core/Errors"
import type { AnyOperationName } from "@signalbox/core/Operations"

/** How far a call had progressed when it was interrupted. */
export interface Progress {
  /** Whether a request was sent. */
  readonly sent: boolean
  /** Whether the change may have been applied. */
  readonly mayHaveBeenApplied: boolean
  /** The attempts that had finished. */
  readonly attempts: ReadonlyArray<Attempt>
}

/** Why a call was interrupted. */
export interface Stopped {
  readonly _tag: "CallAborted" | "ClientClosed"
  /** One line about the event. */
  readonly message: string
}

/** The facts of the error of such a call. */
export interface StoppedFacts extends ErrorFacts<Stopped> {
  /** The operation of the call. */
  readonly operation: AnyOperationName
  /** Whether a request was sent before. */
  readonly sent: boolean
}

/** The facts of the error of a call; `next` follows the advice about what it may have changed. */
export const stoppedFacts = (
  operation: AnyOperationName,
  reason: Stopped,
  progress: Progress,
  next = ""
): StoppedFacts => {
  const outcome = progress.mayHaveBeenApplied
    ? "It is unknown whether the change was applied. Check before retrying."
    : `Nothing was ${progress.sent ? "changed" : "sent"}.`
  const advice = outcome + next
  return { message: `${operation} failed: ${reason.message}. ${advice}`, operation, reason, advice, ...progress }
}
