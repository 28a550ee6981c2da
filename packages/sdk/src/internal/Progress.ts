import type { Attempt } from "@signalbox/core/Errors"

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

/** The outcome of such a call, as a sentence. */
export const outcomeOf = ({ mayHaveBeenApplied, sent }: Progress): string => {
  if (mayHaveBeenApplied) return "It is unknown whether the change was applied. Check before retrying."
  return sent ? "Nothing was changed." : "Nothing was sent."
}
