import type { MarkMessagesAsError } from "./MarkMessagesAsError.ts"
import type { Message } from "../models/Message.ts"

/** What is known beside the fields of an error, which are what is printed and stored of it. */
export interface MarkManyFacts {
  /** The affected messages of the calls that succeeded. */
  readonly messages: ReadonlyArray<Message>
  /** Why the call of an identifier failed. */
  readonly errorOf: ReadonlyMap<string, MarkMessagesAsError>
}

/** The facts of errors, by the error: messages have content, which nobody wants in a log. */
export const markManyFacts = new WeakMap<object, MarkManyFacts>()
