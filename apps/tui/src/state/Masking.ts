/**
 * Masking for a shared screen: personal data and secrets are replaced where they are stored, so that no row, copy, export
 * or report can show them. Ids stay: they are needed to find people and to send changes.
 */
import type { Unreadable } from "@signalbox/core/DriftEntry"
import { redact } from "@signalbox/core/Redaction"
import { start } from "../screens/Cursor.ts"
import { current, type EventsScreen, withNumbers } from "../screens/events/EventsScreen.ts"
import { joinEvents } from "../screens/events/LoadedEvents.ts"
import type { UnreadableParts } from "../screens/events/UnreadableParts.ts"
import { make as makeCompare } from "../screens/compare/CompareScreen.ts"
import type { Command } from "./Command.ts"
import type { Msg } from "./Msg.ts"
import { putScreen, type Screen, type State, stay, type Transition, withCommands } from "./State.ts"

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
const maskedPart = (part: Unreadable): Unreadable => ({ ...part, raw: maskSign })

const maskedParts = (parts: UnreadableParts): UnreadableParts =>
  new Map(
    Array.from(parts, ([page, reasons]) => [
      page,
      new Map(Array.from(reasons, ([reason, one]) => [reason, { ...one, sample: maskedPart(one.sample) }]))
    ])
  )

/** Events of one part: a few milliseconds of work, so that keys keep working. */
const maskedAtOnce = 50

/** Events of the first part: as many as are loaded at the start. A cursor below them returns once its event is masked. */
const maskedFirst = 200

/** The list with its first events masked. The others are not shown before they are masked, too. */
const startMasking = (screen: EventsScreen): EventsScreen => {
  const here = current(screen)
  const place = here === undefined ? 0 : screen.events.indexOf(here)
  const isNear = place < maskedFirst
  const rest = screen.events.slice(maskedFirst)
  return {
    ...screen,
    events: masked(screen.events.slice(0, maskedFirst)),
    fresh: masked(screen.fresh),
    unreadable: maskedParts(screen.unreadable),
    preview: undefined,
    readAhead: undefined,
    cursor: isNear ? screen.cursor : start,
    masking: rest.length === 0 ? undefined : { rest, cursor: screen.cursor }
  }
}

/** The list with the next part masked; at the end, the cursor returns to where it was, unless it was moved meanwhile. */
const continueMasking = (screen: EventsScreen): EventsScreen => {
  const { masking } = screen
  if (masking === undefined) return screen
  const rest = masking.rest.slice(maskedAtOnce)
  const events = joinEvents(screen.events, masked(masking.rest.slice(0, maskedAtOnce)))
  return rest.length > 0
    ? withNumbers({ ...screen, events, masking: { ...masking, rest } })
    : {
        ...withNumbers({ ...screen, events }),
        masking: undefined,
        cursor: screen.cursor.at === 0 ? masking.cursor : screen.cursor
      }
}

const isMasking = (screen: Screen): screen is EventsScreen => screen._tag === "Events" && screen.masking !== undefined

/** Requests the next part, if one is left. */
const withNextPart = (state: State): Transition =>
  state.screens.some(isMasking) ? withCommands(state, { _tag: "MaskMore" }) : stay(state)

/** Masks the next part of the lists. */
export const maskMore = (state: State): Transition => {
  const screen = state.screens.find(isMasking)
  return screen === undefined ? stay(state) : withNextPart(putScreen(state, continueMasking(screen)))
}

const maskedScreen = (screen: Screen): Screen => {
  switch (screen._tag) {
    case "Events":
      return startMasking(screen)
    case "Event":
      return { ...screen, event: masked(screen.event) }
    case "Subscriber":
    case "Credentials":
      return { ...screen, revealedUntil: undefined }
    case "Compare":
      return { ...makeCompare(screen.id, masked(screen.left), masked(screen.right)), cursor: screen.cursor }
    case "Causes":
    case "Messages":
    case "Requests":
    case "Text":
      return screen
  }
}

/**
 * Masks everything that was read so far; long lists part by part. Screens with raw JSON are closed: nothing tells what is
 * personal in them.
 */
export const maskedState = (state: State): Transition =>
  withNextPart({
    ...state,
    settings: { ...state.settings, masked: true },
    screens: state.screens.filter(({ _tag }) => _tag !== "Text").map(maskedScreen),
    facts: masked(state.facts),
    copied: undefined,
    history: state.history.map(({ at, text }) => ({ at, text: maskedText(text) })),
    requests: masked(state.requests)
  })

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
