/**
 * Messages, as the service sends them.
 *
 * **When to use**: for the answer of `Messages.markAs`. The API has no listing of messages; their identifiers come from
 * where they are shown.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { Channel } from "./Channel.ts"
import * as Contract from "../contract/Message.ts"
import { mayBeAbsent, mayBeNull } from "./Relaxed.ts"
import { openEnum } from "../contract/OpenEnum.ts"
import { Subscriber } from "./Subscriber.ts"
import { Workflow } from "./Workflow.ts"
import type { Read } from "./Read.ts"

const emailBlockStylesFields = {
  /** Alignment of the text. */
  textAlign: openEnum(Contract.textAligns)
}

/** How a block of an e-mail looks (API document: Resources, EmailBlock). */
export interface EmailBlockStyles extends Read<{}, typeof emailBlockStylesFields> {}

/** Schema of {@link EmailBlockStyles}. */
export const EmailBlockStyles: Schema.Codec<EmailBlockStyles> = Schema.Struct(emailBlockStylesFields)

const emailBlockFields = {
  /** Whether the block is text or a button. */
  type: openEnum(Contract.emailBlockTypes),
  /** How the block looks. */
  styles: Schema.optionalKey(EmailBlockStyles)
}

/** One block of an e-mail (API document: Resources, EmailBlock). */
export interface EmailBlock extends Read<typeof Contract.EmailBlock.fields, typeof emailBlockFields> {}

/** Schema of {@link EmailBlock}. */
export const EmailBlock: Schema.Codec<EmailBlock> = Schema.Struct({
  ...Contract.EmailBlock.fields,
  ...emailBlockFields
})

const messageButtonFields = {
  /** Whether the button is the main one. */
  type: openEnum(Contract.messageButtonTypes)
}

/** A button of a message (API document: Resources, MessageButton). */
export interface MessageButton extends Read<typeof Contract.MessageButton.fields, typeof messageButtonFields> {}

/** Schema of {@link MessageButton}. */
export const MessageButton: Schema.Codec<MessageButton> = Schema.Struct({
  ...Contract.MessageButton.fields,
  ...messageButtonFields
})

const messageActionResultFields = {
  /** Which button was pressed. */
  type: Schema.optionalKey(openEnum(Contract.messageButtonTypes))
}

/** What came of an action (API document: Resources, MessageAction). */
export interface MessageActionResult extends Read<
  typeof Contract.MessageActionResult.fields,
  typeof messageActionResultFields
> {}

/** Schema of {@link MessageActionResult}. */
export const MessageActionResult: Schema.Codec<MessageActionResult> = Schema.Struct({
  ...Contract.MessageActionResult.fields,
  ...messageActionResultFields
})

const messageActionFields = {
  /** Whether the subscriber has done it. */
  status: Schema.optionalKey(openEnum(Contract.messageActionStatuses)),
  /** Buttons to choose from. */
  buttons: Schema.optionalKey(Schema.Array(MessageButton)),
  /** What came of it. */
  result: Schema.optionalKey(MessageActionResult)
}

/** What the subscriber can do with a message (API document: Resources, MessageAction). */
export interface MessageAction extends Read<{}, typeof messageActionFields> {}

/** Schema of {@link MessageAction}. */
export const MessageAction: Schema.Codec<MessageAction> = Schema.Struct(messageActionFields)

/** Data of a call to action (API document: Resources, MessageCTA). */
export interface MessageCTAData extends Schema.Struct.Type<typeof Contract.MessageCTAData.fields> {}

/** Schema of {@link MessageCTAData}. */
export const MessageCTAData: Schema.Codec<MessageCTAData> = Contract.MessageCTAData

const messageCTAFields = {
  /** Kind of the call to action. */
  type: Schema.optionalKey(openEnum(Contract.messageCtaTypes)),
  /** Where the message leads. */
  data: Schema.optionalKey(MessageCTAData),
  /** What can be done with it. */
  action: Schema.optionalKey(MessageAction)
}

/** Where a message leads and what can be done with it (API document: Resources, MessageCTA). */
export interface MessageCTA extends Read<{}, typeof messageCTAFields> {}

/** Schema of {@link MessageCTA}. */
export const MessageCTA: Schema.Codec<MessageCTA> = Schema.Struct(messageCTAFields)

/** State of the delivery of a message, as the service sends it: also one that is newer than this version. */
export type MessageStatus = (typeof Contract.messageStatuses)[number] | (string & {})

const messageFields = {
  /** Subscriber of the message. */
  subscriber: Schema.optionalKey(Subscriber),
  /** Workflow of the message. */
  template: Schema.optionalKey(Workflow),
  /** Content: a text, or the blocks of an e-mail; `null` where the service kept none. */
  content: Schema.optionalKey(mayBeNull(Schema.Union([Schema.Array(EmailBlock), Schema.String]))),
  /** Channel; also one that is newer than this version. */
  channel: Channel,
  /** Where the message leads and what can be done with it; absent where the stored message has none. */
  cta: mayBeAbsent(MessageCTA),
  /** State of the delivery. */
  status: openEnum<typeof Contract.messageStatuses, MessageStatus>(Contract.messageStatuses)
}

/**
 * One message of one subscriber on one channel, as read from a response (API document: Resources, Message).
 *
 * `_id` is optional in the document; without it a message cannot be marked.
 *
 * @example
 * ```ts
 * import { isKnownChannel } from "@signalbox/core/Channel"
 * import type { Message } from "@signalbox/core/Message"
 *
 * const describe = ({ channel, read, subject }: Message): string => {
 *   const state = read ? "read" : "unread"
 *   return isKnownChannel(channel) ? `${channel}: ${subject ?? "no subject"}, ${state}` : `on a new channel, ${state}`
 * }
 * ```
 */
export interface Message extends Read<typeof Contract.Message.fields, typeof messageFields> {}

/** Schema of {@link Message}. */
export const Message: Schema.Codec<Message> = Schema.Struct({ ...Contract.Message.fields, ...messageFields })
