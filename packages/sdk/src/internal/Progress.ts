/** How far a call had progressed when it was interrupted. */
export interface Progress {
  /** Whether a request was sent. */
  readonly sent: boolean
  /** Whether the change may have been applied. */
  readonly mayHaveBeenApplied: boolean
}

/** The outcome of such a call, as the end of a sentence. */
export const knownOf = ({ mayHaveBeenApplied, sent }: Progress): string => {
  if (mayHaveBeenApplied) return "it is unknown whether the change was applied, so check before retrying"
  return sent ? "nothing was changed" : "nothing was sent"
}
