/**
 * Masking for a shared screen: personal data and secrets are replaced where they are stored, so that no row, copy, export
 * or report can show them. Ids stay: they are needed to find people and to send changes.
 */
import type { Unreadable } from "@signalbox/core/Drift"
import { redact } from "@signalbox/core/Redaction"
import type { Command } from "./Command.ts"
import type { Msg } from "./Msg.ts"

/** Replaces a masked value. */
export const maskSign = "•••"

/** Fields of a person, and fields whose whole content a caller chose: payloads, contents, credentials. */
const maskedFields: ReadonlySet<string> = new Set([
  "avatar",
  "content",
  "credentials",
  "cta",
  "data",
  "email",
  "firstName",
  "lastName",
  "overrides",
  "payload",
  "phone",
  "subject"
])

/** Ids, keys and times: never masked, also where they look like something else. */
const isId = (field: string): boolean => /(?:^_?id|Ids?|Keys?|At|identifier|Identifier)$/u.test(field)

/** Also as in a query of a URL. */
const emails = /[\p{L}\d._%+-]+(?:@|%40)[\p{L}\d-]+(?:\.[\p{L}\d-]+)+/giu
const phones = /\+\d[\d ().-]{5,}\d/gu
const tokens = /[\w:+/=-]{40,}/gu

/** Characters of which every masked part of a sentence has some. Most strings of an event have none. */
const suspicious = /[:@+=%[]|\S{40}|bearer|basic|apikey/iu

/** A sentence without e-mail addresses, phone numbers, tokens and URLs of hooks. */
export const maskedText = (text: string): string => (suspicious.test(text) ? wholeMaskedText(text) : text)

/** The same without the look ahead that saves most of the work. */
export const wholeMaskedText = (text: string): string =>
  String(redact(text))
    .replaceAll(emails, `${maskSign}@${maskSign}`)
    .replaceAll(phones, maskSign)
    .replaceAll(tokens, maskSign)

/** Text that leaves the program, masked: a filter can have an address that was typed. */
export const maskedCommand = (command: Command): Command =>
  command._tag === "Copy" || command._tag === "SaveFile"
    ? { ...command, text: command.text.replaceAll(emails, `${maskSign}@${maskSign}`) }
    : command

const allMasked = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(allMasked)
  if (typeof value === "object" && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, allMasked(inner)]))
  }
  return value === null || value === undefined || typeof value === "boolean" ? value : maskSign
}

const maskedAny = (value: unknown, field: string): unknown => {
  if (maskedFields.has(field)) return allMasked(value)
  if (typeof value === "string") return isId(field) ? value : maskedText(value)
  if (Array.isArray(value)) return value.map((inner) => maskedAny(inner, field))
  if (value instanceof Map) return new Map(Array.from(value, ([key, inner]) => [key, maskedAny(inner, field)]))
  if (typeof value !== "object" || value === null || value instanceof Set || value instanceof Date) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, maskedAny(inner, key)]))
}

/** A record of the service, or facts from it, masked. */
export const masked = <A>(value: A): A =>
  // The structure stays, as do the types of modelled fields: strings are replaced by strings.
  maskedAny(value, "") as A

/** A part that could not be read, without what the service sent there. */
export const maskedPart = (part: Unreadable): Unreadable => ({ ...part, raw: maskSign })

/** Masks a message that arrives while the screen is masked, before any other code sees it. */
export const maskedMsg = (message: Msg): Msg => {
  switch (message._tag) {
    case "EventsLoaded":
      return {
        ...message,
        page: { ...message.page, data: masked(message.page.data) },
        call: { ...message.call, unreadable: message.call.unreadable.map(maskedPart) }
      }
    // Titles of causes and times: nothing personal, apart from what a provider says.
    case "WindowSampled":
      return { ...message, report: masked(message.report) }
    case "RunReported":
      return { ...message, report: masked(message.report) }
    case "EventLoaded":
    case "EventFound":
      return { ...message, event: masked(message.event) }
    case "CredentialsSaved":
      return { ...message, subscriber: masked(message.subscriber) }
    case "MessagesMarked":
      return { ...message, messages: masked(message.messages) }
    case "RequestMade":
      return { ...message, request: masked(message.request) }
    case "EventsFailed":
    case "EventFailed":
    case "CredentialsRefused":
    case "MarkFailed":
      return { ...message, problem: masked(message.problem) }
    case "Noticed":
      return { ...message, notice: { ...message.notice, text: maskedText(message.notice.text) } }
    default:
      return message
  }
}
