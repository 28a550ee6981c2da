import type { MessageMark } from "@signalbox/core/Messages"
import type { Message } from "@signalbox/core/Records"

export type { MessageMark as MarkAs } from "@signalbox/core/Messages"

/** Messages of one subscriber that are to be marked. */
export interface MarkRequest {
  /** Distinguishes the marks of a screen; a part of a mark that is sent again keeps its number. */
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

/** The state of a message whose mark failed: not changed, perhaps changed, or changed all the same. */
export interface MarkFailure {
  readonly result: "refused" | "unsure" | "done"
  readonly why?: string
}
