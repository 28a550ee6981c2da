import type { MessageMark } from "@signalbox/core/MarkAsInput"
import type { Message } from "@signalbox/core/Message"

export type { MessageMark as MarkAs } from "@signalbox/core/MarkAsInput"

/** Messages of one subscriber that are to be marked. */
export interface MarkRequest {
  /** Tells the marks of a screen apart; what is sent again of a mark keeps its number. */
  readonly number: number
  readonly subscriberId: string
  readonly ids: ReadonlyArray<string>
  readonly markAs: MessageMark
  /** The number of the mark that this one undoes. */
  readonly undoes: number | undefined
}

/** The outcome of one message in a mark. */
export type MarkResult = "done" | "no record" | "refused" | "unsure" | "not tried"

/** The result of one message, and the mark that it belongs to. */
export interface MarkOutcome {
  readonly result: MarkResult
  readonly mark: MarkRequest
  /** The message of the service or the network. */
  readonly why?: string
}

/** The outcomes of the messages in a mark that failed completely or in part. */
export interface MarkReport {
  readonly done: ReadonlyArray<string>
  /** The records that the service returned for the messages that are done. */
  readonly messages: ReadonlyArray<Message>
  readonly failed: ReadonlyMap<string, MarkFailure>
  readonly notTried: ReadonlyArray<string>
}

/** What is known of a message whose mark failed: nothing was changed, perhaps it was, or it was done all the same. */
export interface MarkFailure {
  readonly result: "refused" | "unsure" | "done"
  readonly why?: string
}
