import { keyFor } from "../../actions/Action.ts"
import { type MessageFacts, messagesOf } from "../../state/Facts.ts"
import type { State } from "../../state/State.ts"
import type { Area } from "../../view/Area.ts"
import { isInRange } from "../Selection.ts"
import { age } from "@signalbox/operator/text/Moment"
import { fact, paragraph } from "../../view/Fact.ts"
import {
  sideBySide,
  block,
  cell,
  clipped,
  inset,
  row,
  type Row,
  ruleOver,
  type Span,
  span,
  type Tone
} from "../../view/Row.ts"
import { listHead, listRows, split } from "../Layout.ts"
import { resultSentence, resultText, resultTone } from "./MarkResult.ts"
import type { MessagesScreen } from "./MessagesScreen.ts"
import { momentOf, zoneOf } from "../../view/Times.ts"
import { listRowsOf } from "../../view/ListRows.ts"

type Flag = "read" | "seen"

/** A flag as words; a star while it is only expected. */
const flagOf = (known: MessageFacts, flag: Flag): string => {
  const expected = known.expected?.[flag]
  if (expected !== undefined) return `${expected ? "yes" : "no"}*`
  const value = known.message?.[flag]
  return value === undefined ? "?" : value ? "yes" : "no"
}

const flagTone = (known: MessageFacts, flag: Flag): Tone =>
  known.expected?.[flag] !== undefined ? "waiting" : known.message?.[flag] === false ? "strong" : "dim"

const contentText = (known: MessageFacts): string => {
  const content = known.message?.content
  if (typeof content === "string") return content
  return Array.isArray(content) ? content.map((part) => part.content).join("\n") : ""
}

const titleOf = (known: MessageFacts): string =>
  known.message === undefined
    ? known.id
    : (known.message.subject ?? known.message.title ?? (contentText(known) || known.id))

interface Columns {
  /** None where no message is known with its time. */
  readonly time: number
  readonly title: number
  readonly end: number
}

/** The last column is the state of the message, or the result of a mark where one has ended: that is the later news. */
const columnsFor = (all: ReadonlyArray<MessageFacts>, columns: number): Columns => {
  const end = all.some(({ outcome }) => outcome !== undefined) ? 11 : 8
  const time = all.some(({ message }) => message !== undefined) ? 13 : 0
  return { time, title: Math.max(10, columns - 15 - time - end), end }
}

const endOf = ({ message, outcome }: MessageFacts, columns: number, { settings }: State): Span => {
  if (outcome !== undefined)
    return cell(resultText(outcome.result, settings.glyphs), columns, resultTone(outcome.result))
  const status = message?.status ?? "unknown"
  return cell(status, columns, status === "error" ? "failed" : status === "warning" ? "warning" : "dim")
}

const messageCells = (known: MessageFacts, at: number, screen: MessagesScreen, state: State, width: Columns) => {
  const { glyphs } = state.settings
  const isChosen = screen.selection.has(known.id) || isInRange(screen, at)
  const end = endOf(known, width.end, state)
  return {
    cells: [
      span(isChosen ? glyphs.selected : " ", "accent"),
      span(screen.sending.has(known.id) ? glyphs.arrow.slice(0, 1) : " ", "waiting"),
      cell(flagOf(known, "read"), 5, flagTone(known, "read")),
      cell(flagOf(known, "seen"), 5, flagTone(known, "seen")),
      cell(
        known.message === undefined ? "" : zoneOf(state).moment(known.message.createdAt, state.now),
        width.time,
        "dim"
      ),
      cell(titleOf(known), width.title),
      span(" "),
      end
    ],
    words: `${isChosen ? "selected, " : ""}${titleOf(known)}, read ${flagOf(known, "read")}, seen ${flagOf(known, "seen")}${known.outcome === undefined ? "" : `, ${known.outcome.result}`}`
  }
}

/** Shows the known facts and the outcome of one message. */
export const detail = (
  known: MessageFacts | undefined,
  screen: MessagesScreen,
  state: State,
  columns: number
): ReadonlyArray<Row> => {
  if (known === undefined) return []
  const differs = screen.differs.get(known.id)
  const { message, outcome } = known
  const optionalFact = (label: string, text: string | undefined) =>
    text === undefined ? [] : fact(label, text, columns)
  const since = (iso: string | undefined) => (iso === undefined ? undefined : momentOf(state, iso))
  return [
    ...optionalFact("id", known.id),
    ...optionalFact("known", `from ${known.from.source}, ${age(known.from.at, state.now)}`),
    ...(outcome === undefined
      ? []
      : fact("last mark", resultSentence(outcome, state), columns, { tone: resultTone(outcome.result) })),
    ...(differs === undefined
      ? []
      : fact("differs", `${differs} (not restored by the undo)`, columns, {
          labelTone: "warning",
          tone: "warning"
        })),
    ...optionalFact("state", message?.status),
    ...optionalFact("last read", since(message?.lastReadDate)),
    ...optionalFact("last seen", since(message?.lastSeenDate)),
    ...optionalFact("txn", message?.transactionId),
    ...optionalFact("error", message?.errorText),
    ...(message === undefined
      ? paragraph("Content unknown: the service returns the message when you mark it.", columns, "dim")
      : paragraph(contentText(known), columns))
  ]
}

/** The work list of messages, and the one under the cursor. */
export const messagesView = (state: State, screen: MessagesScreen, { columns, height }: Area): ReadonlyArray<Row> => {
  const all = messagesOf(state.facts, screen.subscriberId)
  const { list, pane } = split(columns)
  const selected = all[screen.cursor.at]
  const width = columnsFor(all, list)
  const { glyphs } = state.settings
  const key = keyFor(state, "add message ids")
  const rows =
    all.length === 0
      ? [
          row([span("   No known messages: the API cannot list messages.", "plain")], list),
          row([span(`   ${key} takes typed or pasted ids; marking returns them.`, "dim")], list)
        ]
      : listRowsOf(all, { cursor: screen.cursor, height, columns: list, sign: glyphs.cursor }, (known, at) =>
          messageCells(known, at, screen, state, width)
        )
  const chosen = screen.selection.size === 0 ? "" : `  ${screen.selection.size} selected`
  const head = [
    row(
      [span(` ${all.length} known${chosen}`, "plain"), span("   ? unknown, * waiting for a response", "dim")],
      columns
    ),
    row(
      [
        span("   "),
        cell("READ", 5, "dim"),
        cell("SEEN", 5, "dim"),
        cell(width.time === 0 ? "" : zoneOf(state).heading, width.time, "dim"),
        cell("MESSAGE", width.title + 1, "dim"),
        span(width.end === 8 ? "STATE" : "LAST MARK", "dim")
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
      ...sideBySide(
        left,
        list,
        span(state.settings.glyphs.bar, "dim"),
        clipped(right, { columns: pane, height: height - 1 }, keyFor(state, "show all of it")),
        pane
      )
    ]
  }
  const shown = rows.slice(0, listRows(height - listHead, rows.length))
  const foot = height - listHead - shown.length
  const below = detail(selected, screen, state, columns - 2).map(inset(1))
  return [
    ...head,
    ...shown,
    ruleOver(below, { columns, height: foot - 1 }, state.settings.glyphs.line, keyFor(state, "show all of it")),
    ...block(below, foot - 1, columns)
  ]
}
