import { type KnownMessage, messagesOf } from "../../state/Known.ts"
import type { State } from "../../state/State.ts"
import { safe } from "../../text/Safe.ts"
import { wrap } from "../../text/Width.ts"
import type { Area } from "../../view/Area.ts"
import { age, moment } from "../../text/Moment.ts"
import { beside, block, cell, inset, row, type Row, rule, span, type Tone } from "../../view/Row.ts"
import { messagesFoot, split } from "../Geometry.ts"
import type { MessagesScreen } from "./MessagesScreen.ts"

type Flag = "read" | "seen"

/** A flag as words; a star while it is only expected. */
const flagOf = (known: KnownMessage, flag: Flag): string => {
  const expected = known.expected?.[flag]
  if (expected !== undefined) return `${expected ? "yes" : "no"}*`
  const value = known.message?.[flag]
  return value === undefined ? "?" : value ? "yes" : "no"
}

const flagTone = (known: KnownMessage, flag: Flag): Tone =>
  known.expected?.[flag] !== undefined ? "waiting" : known.message?.[flag] === false ? "strong" : "dim"

const contentText = (known: KnownMessage): string => {
  const content = known.message?.content
  if (typeof content === "string") return content
  return Array.isArray(content) ? content.map((part) => part.content).join("\n") : ""
}

const titleOf = (known: KnownMessage): string =>
  known.message === undefined
    ? known.id
    : (known.message.subject ?? known.message.title ?? (contentText(known) || known.id))

const messageRow = (known: KnownMessage, at: number, screen: MessagesScreen, state: State, columns: number): Row => {
  const { glyphs } = state.settings
  const selected = at === screen.cursor.at
  const inRange =
    screen.anchor !== undefined &&
    at >= Math.min(screen.anchor, screen.cursor.at) &&
    at <= Math.max(screen.anchor, screen.cursor.at)
  const status = known.message?.status ?? "unknown"
  return row(
    [
      span(selected ? glyphs.cursor : " ", "accent"),
      span(screen.marked.has(known.id) || inRange ? glyphs.mark : " ", "accent"),
      span(screen.sending.has(known.id) ? glyphs.arrow.slice(0, 1) : " ", "waiting"),
      cell(flagOf(known, "read"), 5, flagTone(known, "read")),
      cell(flagOf(known, "seen"), 5, flagTone(known, "seen")),
      cell(known.message === undefined ? "" : moment(known.message.createdAt, state.now), 13, "dim"),
      cell(safe(titleOf(known)), Math.max(10, columns - 36)),
      span(" "),
      cell(safe(status), 8, status === "error" ? "failed" : status === "warning" ? "warning" : "dim")
    ],
    columns,
    {
      selected,
      spoken: `${selected ? "selected, " : ""}${safe(titleOf(known))}, read ${flagOf(known, "read")}, seen ${flagOf(known, "seen")}`
    }
  )
}

const detail = (
  known: KnownMessage | undefined,
  screen: MessagesScreen,
  state: State,
  columns: number
): ReadonlyArray<Row> => {
  if (known === undefined) return []
  const fact = (label: string, value: string): Row => row([cell(label, 11, "dim"), span(safe(value))], columns)
  const differs = screen.differs.get(known.id)
  const { message } = known
  return [
    fact("id", known.id),
    fact("known", `from ${known.from.source}, ${age(known.from.at, state.now)}`),
    ...(differs === undefined
      ? []
      : [
          row([cell("differs", 11, "warning"), span(`${differs} (the undo did not bring it back)`, "warning")], columns)
        ]),
    ...(message === undefined
      ? [row([span("the service has not sent this message yet: a mark answers with it", "dim")], columns)]
      : [
          ...(message.lastReadDate === undefined
            ? []
            : [fact("last read", `${moment(message.lastReadDate, state.now)}Z`)]),
          ...(message.lastSeenDate === undefined
            ? []
            : [fact("last seen", `${moment(message.lastSeenDate, state.now)}Z`)]),
          fact("txn", message.transactionId),
          ...(message.errorText === undefined ? [] : [fact("error", message.errorText)]),
          ...wrap(safe(contentText(known)), columns).map((line) => row([span(line)], columns))
        ])
  ]
}

/** The work list of messages, and the one under the cursor. */
export const messagesView = (state: State, screen: MessagesScreen, { columns, height }: Area): ReadonlyArray<Row> => {
  const all = messagesOf(state.known, screen.subscriberId)
  const { list, pane } = split(columns)
  const foot = pane > 0 ? 0 : messagesFoot(height)
  const selected = all[screen.cursor.at]
  const rows =
    all.length === 0
      ? [
          row([span("   no message is known: the API has no list of messages.", "plain")], list),
          row([span("   i adds ids, typed or pasted; a mark answers with the messages.", "dim")], list)
        ]
      : all
          .slice(screen.cursor.top, screen.cursor.top + height)
          .map((known, index) => messageRow(known, screen.cursor.top + index, screen, state, list))
  const marks = screen.marked.size === 0 ? "" : `  ${screen.marked.size} marked`
  const head = [
    row([span(` ${all.length} known${marks}`, "plain"), span("   ? not known, * not answered yet", "dim")], columns),
    row(
      [
        span("   "),
        cell("READ", 5, "dim"),
        cell("SEEN", 5, "dim"),
        cell("TIME (UTC)", 13, "dim"),
        span("MESSAGE", "dim")
      ],
      list,
      { spoken: "" }
    )
  ]
  if (pane > 0) {
    const right = detail(selected, screen, state, pane - 2).map(inset(1))
    const left = block([...head.slice(1), ...rows], height - 1, list)
    return [
      ...head.slice(0, 1),
      ...beside(left, list, span(state.settings.glyphs.bar, "dim"), block(right, height - 1, pane), pane)
    ]
  }
  const below = detail(selected, screen, state, columns - 2).map(inset(1))
  return [
    ...block([...head, ...rows], height - foot, columns),
    rule(columns, state.settings.glyphs.line),
    ...block(below, foot - 1, columns)
  ]
}
