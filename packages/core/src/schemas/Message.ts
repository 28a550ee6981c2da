/**
 * Schemas of messages, with what reading tolerates.
 *
 * **When to use**: to decode, encode or generate values with `effect/Schema`. Calls read without schemas, by tables
 * generated from these.
 *
 * @since 0.1.0
 */
import type * as Model from "../models/Message.ts"
import * as Schema from "effect/Schema"
import { Channel } from "./Channel.ts"
import * as Contract from "../contract/Message.ts"
import { modelSchema } from "./ModelSchema.ts"
import { mayBeAbsent, mayBeNull } from "./Relaxed.ts"
import { openEnum } from "./OpenEnum.ts"
import { Subscriber } from "./Subscriber.ts"
import { Workflow } from "./Workflow.ts"

const emailBlockStylesFields = {
  /** Alignment of the text. */
  textAlign: openEnum(Contract.textAligns)
}

/** Schema of `EmailBlockStyles`. */
export const EmailBlockStyles: Schema.Codec<Model.EmailBlockStyles> =
  /* @__PURE__ */ modelSchema<Model.EmailBlockStyles>()(Schema.Struct(emailBlockStylesFields))

const emailBlockFields = {
  /** Whether the block is text or a button. */
  type: openEnum(Contract.emailBlockTypes),
  /** How the block looks. */
  styles: Schema.optionalKey(EmailBlockStyles)
}

/** Schema of `EmailBlock`. */
export const EmailBlock: Schema.Codec<Model.EmailBlock> = /* @__PURE__ */ modelSchema<Model.EmailBlock>()(
  Schema.Struct({
    ...Contract.EmailBlock.fields,
    ...emailBlockFields
  })
)

const messageButtonFields = {
  /** Whether the button is the main one. */
  type: openEnum(Contract.messageButtonTypes)
}

/** Schema of `MessageButton`. */
export const MessageButton: Schema.Codec<Model.MessageButton> = /* @__PURE__ */ modelSchema<Model.MessageButton>()(
  Schema.Struct({
    ...Contract.MessageButton.fields,
    ...messageButtonFields
  })
)

const messageActionResultFields = {
  /** Which button was pressed. */
  type: Schema.optionalKey(openEnum(Contract.messageButtonTypes))
}

/** Schema of `MessageActionResult`. */
export const MessageActionResult: Schema.Codec<Model.MessageActionResult> =
  /* @__PURE__ */ modelSchema<Model.MessageActionResult>()(
    Schema.Struct({
      ...Contract.MessageActionResult.fields,
      ...messageActionResultFields
    })
  )

const messageActionFields = {
  /** Whether the subscriber has done it. */
  status: Schema.optionalKey(openEnum(Contract.messageActionStatuses)),
  /** Buttons to choose from. */
  buttons: Schema.optionalKey(Schema.Array(MessageButton)),
  /** What came of it. */
  result: Schema.optionalKey(MessageActionResult)
}

/** Schema of `MessageAction`. */
export const MessageAction: Schema.Codec<Model.MessageAction> = /* @__PURE__ */ modelSchema<Model.MessageAction>()(
  Schema.Struct(messageActionFields)
)

/** Schema of `MessageCTAData`. */
export const MessageCTAData: Schema.Codec<Model.MessageCTAData> = /* @__PURE__ */ modelSchema<Model.MessageCTAData>()(
  Contract.MessageCTAData
)

const messageCTAFields = {
  /** Kind of the call to action. */
  type: Schema.optionalKey(openEnum(Contract.messageCtaTypes)),
  /** Where the message leads. */
  data: Schema.optionalKey(MessageCTAData),
  /** What can be done with it. */
  action: Schema.optionalKey(MessageAction)
}

/** Schema of `MessageCTA`. */
export const MessageCTA: Schema.Codec<Model.MessageCTA> = /* @__PURE__ */ modelSchema<Model.MessageCTA>()(
  Schema.Struct(messageCTAFields)
)

const messageFields = {
  /** Subscriber of the message. */
  subscriber: Schema.optionalKey(Subscriber),
  /** Workflow of the message. */
  template: Schema.optionalKey(Workflow),
  /** Content: a string, or the blocks of an email; `null` where the service stored no content. */
  content: Schema.optionalKey(mayBeNull(Schema.Union([Schema.Array(EmailBlock), Schema.String]))),
  /** Channel; also one that is newer than this version. */
  channel: Channel,
  /** Where the message leads and what can be done with it; absent where the stored message has no call to action. */
  cta: mayBeAbsent(MessageCTA),
  /** State of the delivery. */
  status: openEnum<typeof Contract.messageStatuses, Model.MessageStatus>(Contract.messageStatuses)
}

/** Schema of `Message`. */
export const Message: Schema.Codec<Model.Message> = /* @__PURE__ */ modelSchema<Model.Message>()(
  Schema.Struct({ ...Contract.Message.fields, ...messageFields })
)
