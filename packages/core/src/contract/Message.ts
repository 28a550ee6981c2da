/** Messages, exactly as the API document has them (Resources, Message). */
import * as Schema from "effect/Schema"
import { Channel } from "./Enumerations.ts"
import {
  emailBlockTypes,
  textAligns,
  messageCtaTypes,
  messageActionStatuses,
  messageButtonTypes,
  messageStatuses
} from "./KnownValues.ts"
import { FreeForm } from "./FreeForm.ts"
import { Subscriber } from "./Subscriber.ts"
import { mayBeAbsent, mayBeNull, record, vendorIdentifier } from "./Marks.ts"
import { Workflow } from "./Workflow.ts"

/** How a block of an e-mail looks (API document: Resources, EmailBlock). */
export const EmailBlockStyles = record("EmailBlockStyles", {
  /** Alignment of the text. */
  textAlign: Schema.Literals(textAligns)
})

/** One block of an e-mail (API document: Resources, EmailBlock). */
export const EmailBlock = record("EmailBlock", {
  /** Whether the block is text or a button. */
  type: Schema.Literals(emailBlockTypes),
  /** Text of the block. */
  content: Schema.String,
  /** Where a button leads. */
  url: Schema.optionalKey(Schema.String),
  /** How the block looks. */
  styles: Schema.optionalKey(EmailBlockStyles)
})

/** A button of a message (API document: Resources, MessageButton). */
export const MessageButton = record("MessageButton", {
  /** Whether the button is the main one. */
  type: Schema.Literals(messageButtonTypes),
  /** Text on the button. */
  content: Schema.String,
  /** Text shown after the button was pressed. */
  resultContent: Schema.optionalKey(Schema.String)
})

/** What came of an action (API document: Resources, MessageAction). */
export const MessageActionResult = record("MessageActionResult", {
  /** Data that came with the press of the button. */
  payload: Schema.optionalKey(FreeForm),
  /** Which button was pressed. */
  type: Schema.optionalKey(Schema.Literals(messageButtonTypes))
})

/** What the subscriber can do with a message (API document: Resources, MessageAction). */
export const MessageAction = record("MessageAction", {
  /** Whether the subscriber has done it. */
  status: Schema.optionalKey(Schema.Literals(messageActionStatuses)),
  /** Buttons to choose from. */
  buttons: Schema.optionalKey(Schema.Array(MessageButton)),
  /** What came of it. */
  result: Schema.optionalKey(MessageActionResult)
})

/** Data of a call to action (API document: Resources, MessageCTA). */
export const MessageCTAData = record("MessageCTAData", {
  /** Where the message leads. */
  url: Schema.optionalKey(Schema.String)
})

/** Where a message leads and what can be done with it (API document: Resources, MessageCTA). */
export const MessageCTA = record("MessageCTA", {
  /** Kind of the call to action. */
  type: Schema.optionalKey(Schema.Literals(messageCtaTypes)),
  /** Where the message leads. */
  data: Schema.optionalKey(MessageCTAData),
  /** What can be done with it. */
  action: Schema.optionalKey(MessageAction)
})

/** State of the delivery of a message (API document: States and transitions). */
export const MessageStatus = Schema.Literals(messageStatuses)

/**
 * One message of one subscriber on one channel (API document: Resources, Message).
 *
 * @remarks `_id` is optional in the document; without it a message cannot be marked.
 *
 * @example
 * ```ts
 * import { isKnownChannel, type Message } from "@signalbox/core/Records"
 *
 * const describe = ({ channel, read, subject }: Message): string => {
 *   const state = read ? "read" : "unread"
 *   return isKnownChannel(channel) ? `${channel}: ${subject ?? "no subject"}, ${state}` : `on a new channel, ${state}`
 * }
 * ```
 */
export const Message = record("Message", {
  /** Internal identifier of the message. */
  _id: Schema.optionalKey(Schema.String),
  /** Internal identifier of the workflow. */
  _templateId: Schema.optionalKey(Schema.NullOr(Schema.String)),
  /** Environment in which the message is sent. */
  _environmentId: Schema.String,
  /** Internal identifier of the message template. */
  _messageTemplateId: Schema.optionalKey(Schema.NullOr(Schema.String)),
  /** Organization that owns the message. */
  _organizationId: Schema.String,
  /** Internal identifier of the event that the message belongs to. */
  _notificationId: Schema.String,
  /** Internal identifier of the subscriber. */
  _subscriberId: Schema.String,
  /** Subscriber of the message. */
  subscriber: Schema.optionalKey(Subscriber),
  /** Workflow of the message. */
  template: Schema.optionalKey(Workflow),
  /** Identifier of the message template. */
  templateIdentifier: Schema.optionalKey(Schema.String),
  /** Creation date. */
  createdAt: Schema.String,
  /** Delivery dates; several when the message was delivered more than once, for example after a snooze. */
  deliveredAt: Schema.optionalKey(Schema.Array(Schema.String)),
  /** Date when the message was last seen. */
  lastSeenDate: Schema.optionalKey(Schema.String),
  /** Date when the message was last read. */
  lastReadDate: Schema.optionalKey(Schema.String),
  /** Content: a string, or the blocks of an email. */
  content: Schema.optionalKey(
    mayBeNull(Schema.Union([Schema.Array(EmailBlock), Schema.String]), {
      note: "`null` where the service stored no content",
      because:
        "Messages whose content was not kept are returned with null; later schemas of a public implementation allow it"
    })
  ),
  /** Transaction that the message belongs to. */
  transactionId: Schema.String,
  /** Subject. */
  subject: Schema.optionalKey(Schema.String),
  /** Channel. */
  channel: Channel,
  /** Whether the message is read. */
  read: Schema.Boolean,
  /** Whether the message is seen. */
  seen: Schema.Boolean,
  /** Date when the message is unsnoozed. */
  snoozedUntil: Schema.optionalKey(Schema.String),
  /** E-mail address associated with the message. */
  email: Schema.optionalKey(Schema.String),
  /** Phone number associated with the message. */
  phone: Schema.optionalKey(Schema.String),
  /** Webhook URL that the message was sent to. A secret. */
  directWebhookUrl: Schema.optionalKey(Schema.String),
  /** Provider that delivered the message. */
  providerId: vendorIdentifier(Schema.optionalKey(Schema.String)),
  /** Device tokens that the message was sent to. Secrets. */
  deviceTokens: Schema.optionalKey(Schema.Array(Schema.String)),
  /** Title. */
  title: Schema.optionalKey(Schema.String),
  /** Where the message leads and what can be done with it. */
  cta: mayBeAbsent(MessageCTA, {
    note: "absent where the stored message has no call to action",
    because: "A message stored without a call to action is returned without the field"
  }),
  /** Internal identifier of the feed. */
  _feedId: Schema.optionalKey(Schema.NullOr(Schema.String)),
  /** State of the delivery. */
  status: MessageStatus,
  /** Identifier of the error, when the message has one. */
  errorId: Schema.optionalKey(Schema.String),
  /** Text of the error, when the message has one. */
  errorText: Schema.optionalKey(Schema.String),
  /** Payload used for the trigger. */
  payload: Schema.optionalKey(FreeForm),
  /** Overrides by provider used at the trigger. */
  overrides: Schema.optionalKey(FreeForm),
  /** Context keys, each of the form `type:id`. */
  contextKeys: Schema.optionalKey(Schema.Array(Schema.String))
})
