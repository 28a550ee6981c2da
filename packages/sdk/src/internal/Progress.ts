/** How far a call had come when it was ended from outside. */
export interface Progress {
  /** Whether a request was handed over. */
  readonly sent: boolean
  /** Whether the service may have done the work. */
  readonly mayHaveBeenApplied: boolean
}

/** What is known about the work of such a call, as the end of a sentence. */
export const knownOf = ({ mayHaveBeenApplied, sent }: Progress): string => {
  if (mayHaveBeenApplied) return "it is not known whether the service did the work, so check before you repeat it"
  return sent ? "nothing was changed" : "nothing was sent"
}
