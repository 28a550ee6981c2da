import type { messageMarks } from "../contract/Parameters.ts"

/** A state that messages can be marked as (API document: Endpoints, Update notifications state). */
export type MessageMark = (typeof messageMarks)[number]

/** The input of `messages.markAs`. */
export interface MarkAsInput {
  /** Internal identifiers of the messages: one, or several. */
  readonly messageId: string | ReadonlyArray<string>
  /** The new state of the messages. */
  readonly markAs: MessageMark
}
