/**
 * Messages, as the service sends them.
 *
 * **When to use**: for the response of `Messages.markAs`. The API cannot list messages; their identifiers come from
 * where they are shown.
 *
 * @since 0.1.0
 */
export type {
  EmailBlockStyles,
  EmailBlock,
  MessageButton,
  MessageActionResult,
  MessageAction,
  MessageCTAData,
  MessageCTA,
  MessageStatus,
  Message
} from "./Records.ts"
