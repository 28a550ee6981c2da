/**
 * Messages, as the service sends them.
 *
 * **When to use**: for the response of `Messages.markAs`. The API cannot list messages; their identifiers come from
 * where they are shown.
 *
 * @since 0.1.0
 */
import type {
  emailBlockTypes,
  messageActionStatuses,
  messageButtonTypes,
  messageCtaTypes,
  messageStatuses,
  textAligns,
  Open
} from "../contract/KnownValues.ts"
import type { Channel } from "./Channel.ts"
import type { Subscriber } from "./Subscriber.ts"
import type { Workflow } from "./Workflow.ts"

/** How a block of an e-mail looks (API document: Resources, EmailBlock). */
export interface EmailBlockStyles {
  /** Alignment of the text. */
  readonly textAlign: Open<typeof textAligns>
}

/** One block of an e-mail (API document: Resources, EmailBlock). */
export interface EmailBlock {
  /** Whether the block is text or a button. */
  readonly type: Open<typeof emailBlockTypes>
  /** Text of the block. */
  readonly content: string
  /** Where a button leads. */
  readonly url?: string
  /** How the block looks. */
  readonly styles?: EmailBlockStyles
}

/** A button of a message (API document: Resources, MessageButton). */
export interface MessageButton {
  /** Whether the button is the main one. */
  readonly type: Open<typeof messageButtonTypes>
  /** Text on the button. */
  readonly content: string
  /** Text shown after the button was pressed. */
  readonly resultContent?: string
}

/** What came of an action (API document: Resources, MessageAction). */
export interface MessageActionResult {
  /** Data that came with the press of the button. */
  readonly payload?: { readonly [key: string]: unknown }
  /** Which button was pressed. */
  readonly type?: Open<typeof messageButtonTypes>
}

/** What the subscriber can do with a message (API document: Resources, MessageAction). */
export interface MessageAction {
  /** Whether the subscriber has done it. */
  readonly status?: Open<typeof messageActionStatuses>
  /** Buttons to choose from. */
  readonly buttons?: ReadonlyArray<MessageButton>
  /** What came of it. */
  readonly result?: MessageActionResult
}

/** Data of a call to action (API document: Resources, MessageCTA). */
export interface MessageCTAData {
  /** Where the message leads. */
  readonly url?: string
}

/** Where a message leads and what can be done with it (API document: Resources, MessageCTA). */
export interface MessageCTA {
  /** Kind of the call to action. */
  readonly type?: Open<typeof messageCtaTypes>
  /** Where the message leads. */
  readonly data?: MessageCTAData
  /** What can be done with it. */
  readonly action?: MessageAction
}

/** State of the delivery of a message, as the service sends it: also one that is newer than this version. */
export type MessageStatus = (typeof messageStatuses)[number] | (string & {})

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
export interface Message {
  /** Internal identifier of the message. */
  readonly _id?: string
  /** Internal identifier of the workflow. */
  readonly _templateId?: string | null
  /** Environment in which the message is sent. */
  readonly _environmentId: string
  /** Internal identifier of the message template. */
  readonly _messageTemplateId?: string | null
  /** Organization that owns the message. */
  readonly _organizationId: string
  /** Internal identifier of the event that the message belongs to. */
  readonly _notificationId: string
  /** Internal identifier of the subscriber. */
  readonly _subscriberId: string
  /** Subscriber of the message. */
  readonly subscriber?: Subscriber
  /** Workflow of the message. */
  readonly template?: Workflow
  /** Identifier of the message template. */
  readonly templateIdentifier?: string
  /** Creation date. */
  readonly createdAt: string
  /** Delivery dates; several when the message was delivered more than once, for example after a snooze. */
  readonly deliveredAt?: ReadonlyArray<string>
  /** Date when the message was last seen. */
  readonly lastSeenDate?: string
  /** Date when the message was last read. */
  readonly lastReadDate?: string
  /** Content: a string, or the blocks of an email; `null` where the service stored no content. */
  readonly content?: ReadonlyArray<EmailBlock> | string | null
  /** Transaction that the message belongs to. */
  readonly transactionId: string
  /** Subject. */
  readonly subject?: string
  /** Channel; also one that is newer than this version. */
  readonly channel: Channel
  /** Whether the message is read. */
  readonly read: boolean
  /** Whether the message is seen. */
  readonly seen: boolean
  /** Date when the message is unsnoozed. */
  readonly snoozedUntil?: string
  /** E-mail address associated with the message. */
  readonly email?: string
  /** Phone number associated with the message. */
  readonly phone?: string
  /** Webhook URL that the message was sent to. A secret. */
  readonly directWebhookUrl?: string
  /** Provider that delivered the message. */
  readonly providerId?: string
  /** Device tokens that the message was sent to. Secrets. */
  readonly deviceTokens?: ReadonlyArray<string>
  /** Title. */
  readonly title?: string
  /** Where the message leads and what can be done with it; absent where the stored message has no call to action. */
  readonly cta?: MessageCTA
  /** Internal identifier of the feed. */
  readonly _feedId?: string | null
  /** State of the delivery. */
  readonly status: MessageStatus
  /** Identifier of the error, when the message has one. */
  readonly errorId?: string
  /** Text of the error, when the message has one. */
  readonly errorText?: string
  /** Payload used for the trigger. */
  readonly payload?: { readonly [key: string]: unknown }
  /** Overrides by provider used at the trigger. */
  readonly overrides?: { readonly [key: string]: unknown }
  /** Context keys, each of the form `type:id`. */
  readonly contextKeys?: ReadonlyArray<string>
}
