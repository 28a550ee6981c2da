import type { Message } from "@signalbox/core/Message"

/** The four values that `messages.markAs` takes. */
export type MarkAs = "read" | "unread" | "seen" | "unseen"

/** Messages of one subscriber that are to be marked. */
export interface MarkRequest {
  /** Tells the marks of a screen apart; what is sent again of a mark keeps its number. */
  readonly number: number
  readonly subscriberId: string
  readonly ids: ReadonlyArray<string>
  readonly markAs: MarkAs
  /** The number of the mark that this one takes back. */
  readonly undoes: number | undefined
}

/** What became of one message of a mark. */
export type MarkResult = "done" | "no record" | "refused" | "unsure" | "not tried"

/** The result of one message, and the mark that it belongs to. */
export interface MarkOutcome {
  readonly result: MarkResult
  readonly mark: MarkRequest
  /** What the service or the network said. */
  readonly why?: string
}

/** What became of the messages of a mark that failed as a whole or in part. */
export interface MarkReport {
  readonly done: ReadonlyArray<string>
  /** What the service answered of those that are done. */
  readonly messages: ReadonlyArray<Message>
  readonly failed: ReadonlyMap<string, MarkFailure>
  readonly notTried: ReadonlyArray<string>
}

/** What is known of a message whose mark failed: nothing was changed, perhaps it was, or it was done all the same. */
export interface MarkFailure {
  readonly result: "refused" | "unsure" | "done"
  readonly why?: string
}
