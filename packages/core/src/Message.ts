import * as Schema from "effect/Schema"
import { Channel } from "./Channel.ts"
import * as Contract from "./contract/Message.ts"
import { mayBeAbsent, mayBeNull } from "./internal/reading/Relaxed.ts"
import { openEnum } from "./OpenEnum.ts"
import { Subscriber } from "./Subscriber.ts"
import { Workflow } from "./Workflow.ts"

/** How a block of an e-mail looks (API document: Resources, EmailBlock). */
export class EmailBlockStyles extends Schema.Opaque<EmailBlockStyles>()(
  Schema.Struct({
    /** Alignment of the text. */
    textAlign: openEnum(Contract.textAligns)
  })
) {}

/** One block of an e-mail (API document: Resources, EmailBlock). */
export class EmailBlock extends Schema.Opaque<EmailBlock>()(
  Schema.Struct({
    ...Contract.EmailBlock.fields,
    /** Whether the block is text or a button. */
    type: openEnum(Contract.emailBlockTypes),
    /** How the block looks. */
    styles: Schema.optionalKey(EmailBlockStyles)
  })
) {}

/** A button of a message (API document: Resources, MessageButton). */
export class MessageButton extends Schema.Opaque<MessageButton>()(
  Schema.Struct({
    ...Contract.MessageButton.fields,
    /** Whether the button is the main one. */
    type: openEnum(Contract.messageButtonTypes)
  })
) {}

/** What came of an action (API document: Resources, MessageAction). */
export class MessageActionResult extends Schema.Opaque<MessageActionResult>()(
  Schema.Struct({
    ...Contract.MessageActionResult.fields,
    /** Which button was pressed. */
    type: Schema.optionalKey(openEnum(Contract.messageButtonTypes))
  })
) {}

/** What the subscriber can do with a message (API document: Resources, MessageAction). */
export class MessageAction extends Schema.Opaque<MessageAction>()(
  Schema.Struct({
    /** Whether the subscriber has done it. */
    status: Schema.optionalKey(openEnum(Contract.messageActionStatuses)),
    /** Buttons to choose from. */
    buttons: Schema.optionalKey(Schema.Array(MessageButton)),
    /** What came of it. */
    result: Schema.optionalKey(MessageActionResult)
  })
) {}

/** Data of a call to action (API document: Resources, MessageCTA). */
export class MessageCTAData extends Schema.Opaque<MessageCTAData>()(Contract.MessageCTAData) {}

/** Where a message leads and what can be done with it (API document: Resources, MessageCTA). */
export class MessageCTA extends Schema.Opaque<MessageCTA>()(
  Schema.Struct({
    /** Kind of the call to action. */
    type: Schema.optionalKey(openEnum(Contract.messageCtaTypes)),
    /** Where the message leads. */
    data: Schema.optionalKey(MessageCTAData),
    /** What can be done with it. */
    action: Schema.optionalKey(MessageAction)
  })
) {}

/** One message of one subscriber on one channel, as read from a response (API document: Resources, Message). */
export class Message extends Schema.Opaque<Message>()(
  Schema.Struct({
    ...Contract.Message.fields,
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
    status: openEnum(Contract.messageStatuses)
  })
) {}
