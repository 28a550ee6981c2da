import { keyFor, hintKey, keyLabel, placeOf, whyRefused } from "../actions/Action.ts"
import { actionsAt, hints } from "./Actions.ts"
import { pending } from "../keyboard/Chord.ts"
import { helpView } from "../overlay/HelpView.ts"
import { confirmView, paletteView, promptView } from "../overlay/OverlayView.ts"
import { eventKey } from "@signalbox/operator/reading/EventKey"
import { current, type EventsScreen, visible } from "../screens/events/EventsScreen.ts"
import { bodyHeight } from "../screens/Layout.ts"
import { kindOf } from "../screens/ScreenKinds.ts"
import type { ConnectionInfo } from "../state/Connection.ts"
import { problemOn, topScreen } from "../state/ScreenStack.ts"
import type { State } from "../state/State.ts"
import { cleanLine } from "@signalbox/operator/outlet/Outlet"
import { width } from "@signalbox/operator/text/Width"
import type { Area } from "../view/Area.ts"
import { paragraph, problemRows } from "../view/Fact.ts"
import { blank, block, ends, inset, isRule, row, type Row, rule, type Span, span, spansWidth } from "../view/Row.ts"
import { isTooSmall, smallest } from "../state/Settings.ts"
import { attemptNote, elapsed, type Notice } from "../state/Feedback.ts"
import { stampOf, zoneOf } from "../view/Times.ts"

const badgeOf = ({ kind, name, readOnly }: ConnectionInfo): Span => {
  if (kind === "live") return span(`[LIVE ${name}${readOnly ? " read-only" : ""}]`, "live")
  return span(kind === "demo" ? "[DEMO]" : `[REPLAY ${name}]`, "demo")
}

const header = (state: State): Row => {
  const { connection, recording, settings } = state
  const screen = topScreen(state)
  const { status } = kindOf(screen)
  const badge = badgeOf(connection)
  const path = state.screens.map((one) => cleanLine(kindOf(one).title(one)))
  const { heading } = zoneOf(state)
  const modes = [
    ...(heading === "UTC" ? [] : [span(` ${heading}`, "notice")]),
    ...(settings.masked ? [span(" "), span("[MASKED]", "demo")] : []),
    ...(recording === undefined ? [] : [span(" "), span(`[REC ${recording.exchanges}]`, "live")])
  ]
  const roomBeside = (right: ReadonlyArray<Span>) =>
    state.size.columns - spansWidth(right) - spansWidth([badge, ...modes]) - 15
  const whole = [span(" "), ...(status?.(screen, state, false) ?? [])]
  // In little room, the name of the screen matters more.
  const isBrief = state.size.columns < 70 && roomBeside(whole) < width(path.at(-1) ?? "")
  const right = isBrief ? [span(" "), ...(status?.(screen, state, true) ?? [])] : whole
  const room = roomBeside(right)
  // The way here is cut from the left: where one is matters more than where one began.
  let from = 0
  while (from < path.length - 1 && path.slice(from).join(" > ").length > room) from += 1
  const crumbs: Array<Span> = from > 0 ? [span("... ", "dim")] : []
  for (let at = from; at < path.length; at += 1) {
    if (at > from) crumbs.push(span(` ${settings.glyphs.crumb} `, "dim"))
    crumbs.push(span(path[at] ?? "", at === path.length - 1 ? "strong" : "dim"))
  }
  return ends([span(" SIGNALBOX ", "title"), badge, ...modes, span("  "), ...crumbs], right, state.size.columns)
}

/** How many events are selected: those that a filter hides are neither copied nor exported. */
const marksOf = (screen: EventsScreen): string => {
  const { selection } = screen
  if (selection.size === 0) return ""
  const listed = visible(screen).filter((event) => selection.has(eventKey(event))).length
  const hidden = selection.size - listed
  if (hidden === 0) return `${listed} selected  `
  return listed === 0 ? `${hidden} selected, not listed  ` : `${listed} selected, ${hidden} not listed  `
}

const position = (state: State): string => {
  const screen = topScreen(state)
  if (screen._tag !== "Events" || current(screen) === undefined) return ""
  return `${marksOf(screen)}${screen.cursor.at + 1}/${visible(screen).length} `
}

/** Whether the notice fits next to the rest of the status line. */
const fitsStatusLine = (state: State, { text }: Notice): boolean =>
  width(cleanLine(text)) < state.size.columns - width(position(state)) - 1

/** The one line of feedback: unfinished keys, running jobs, the last notice, or what went wrong. */
const statusLine = (state: State): Row => {
  const { columns } = state.size
  const typed = pending(state.chord)
  const right = [span(typed === "" ? position(state) : `${typed} `, typed === "" ? "dim" : "key")]
  const task = state.tasks.at(-1)
  const problem = problemOn(topScreen(state))
  if (state.notice !== undefined && fitsStatusLine(state, state.notice))
    return ends([span(` ${state.notice.text}`, state.notice.tone)], right, columns)
  if (task !== undefined) {
    const note = attemptNote(task, state.now, keyFor(state, "back"))
    const progress = task.progress === undefined ? "" : `, ${task.progress}, ${keyFor(state, "back")} stops`
    const label = ` ${task.label}${progress}${elapsed(task, state.now)}`
    return ends(
      [span(note === undefined ? label : `${label}: ${note}`, note === undefined ? "dim" : "warning")],
      right,
      columns
    )
  }
  if (problem !== undefined) {
    const retryAction = actionsAt(placeOf({ ...state, overlay: undefined }), state.settings.bindings).find(
      ({ retries }) => retries === true
    )
    const key = retryAction?.unavailable?.(state, "") === undefined ? retryAction?.keys[0] : undefined
    const since = ` failed at ${stampOf(state, problem.at)}${key === undefined ? "" : `; ${keyLabel(key)} tries again now`}`
    const screen = topScreen(state)
    const isEmpty = screen._tag === "Events" && screen.events.length === 0
    const kept = isEmpty ? since : `${since}; what was here before stays`
    return ends([span(width(kept) + spansWidth(right) < columns ? kept : since, "warning")], right, columns)
  }
  return ends([], right, columns)
}

const footer = (state: State): Row => {
  const { columns } = state.size
  if (state.overlay !== undefined) {
    const words =
      state.overlay._tag === "Palette"
        ? " enter run  tab complete  up/down choose  esc close"
        : state.overlay._tag === "Help"
          ? " type to search  up/down choose  enter run  esc close"
          : state.overlay._tag === "Confirm" && state.overlay.typed === undefined
            ? " y or enter yes  n or esc no"
            : state.overlay._tag === "Prompt" && state.typedBefore.has(state.overlay.purpose)
              ? " enter accept  up what was typed before  esc close"
              : " enter accept  esc close"
    return row([span(words, "dim")], columns, { spoken: `keys:${words.replaceAll("  ", ", ")}` })
  }
  const spans: Array<Span> = [span(" ")]
  let left = columns - 1
  const all = hints(state)
  const offered = all.filter((action) => whyRefused(state, action) === undefined)
  // Help and quit are always shown; the other keys are dropped from the right.
  const last = offered.filter(({ hint }) => (hint ?? 0) >= 90)
  const nameOf = ({ id, name = id, nameHere }: (typeof all)[number]): string => nameHere?.(state) ?? name
  const parts = (action: (typeof all)[number]): ReadonlyArray<Span> => [
    span(hintKey(action), "key"),
    span(` ${nameOf(action)}  `, "dim")
  ]
  const reserved = last.reduce((sum, action) => sum + spansWidth(parts(action)), 0)
  for (const action of offered) {
    if (last.includes(action)) continue
    const part = parts(action)
    const size = spansWidth(part)
    if (size > left - reserved) continue
    spans.push(...part)
    left -= size
  }
  for (const action of last) spans.push(...parts(action))
  // A screen reader would read them again on every row where others are refused.
  return row(spans, columns, {
    spoken: `keys: ${all.map((action) => `${hintKey(action)} ${action.name ?? action.id}`).join(", ")}`
  })
}

/** The rows with others over their end; a rule that would stand right above them separates nothing. */
const covered = (rows: ReadonlyArray<Row>, over: ReadonlyArray<Row>, { columns, height }: Area): ReadonlyArray<Row> => {
  const kept = rows.slice(0, Math.max(0, height - over.length))
  const above = kept.at(-1)
  return [...(above !== undefined && isRule(above) ? [...kept.slice(0, -1), blank(columns)] : kept), ...over]
}

/** A notice that is too long for the status line, in full above it. */
const withLongNotice = (state: State, rows: ReadonlyArray<Row>, { columns, height }: Area): ReadonlyArray<Row> => {
  const { notice } = state
  if (notice === undefined || fitsStatusLine(state, notice)) return rows
  const over = [
    rule(columns, state.settings.glyphs.line),
    ...paragraph(notice.text, columns - 2, notice.tone).map(inset(1))
  ].slice(0, height)
  return covered(rows, over, { columns, height })
}

const withProblem = (state: State, rows: ReadonlyArray<Row>, area: Area): ReadonlyArray<Row> => {
  const screen = topScreen(state)
  const problem = problemOn(screen)
  if (problem === undefined || screen._tag === "Credentials") return rows
  const over = [
    rule(area.columns, state.settings.glyphs.line),
    ...problemRows(problem, keyFor(state, "copy the problem"), area.columns)
  ]
  return covered(rows, over.slice(0, Math.max(2, Math.floor(area.height / 2))), area)
}

const withOverlay = (state: State, rows: ReadonlyArray<Row>, area: Area): ReadonlyArray<Row> => {
  const { overlay } = state
  if (overlay === undefined) return rows
  if (overlay._tag === "Help") return helpView(state, overlay, area)
  const over =
    overlay._tag === "Palette"
      ? paletteView(state, overlay, area)
      : overlay._tag === "Prompt"
        ? promptView(state, overlay, area.columns)
        : confirmView(state, overlay, area)
  // Where it is too much, the line under edit is what must be seen: the last one.
  return covered(rows, over.slice(-area.height), area)
}

const tooSmall = ({ size, tasks }: State): ReadonlyArray<Row> => {
  const { columns, rows } = size
  const words = [
    `Signalbox needs ${smallest.columns}x${smallest.rows}; this is ${columns}x${rows}. q quits.`,
    ...(tasks.some(({ writes }) => writes) ? ["A change is on its way: q twice quits."] : [])
  ]
  return block(
    words.flatMap((line) => paragraph(line, columns)),
    rows,
    columns
  )
}

/** The row with an ASCII sign for what was cut away. */
const inAscii = (line: Row): Row => ({
  ...line,
  spans: line.spans.map((part) =>
    part.text.includes("…") ? { ...part, ...span(part.text.replaceAll("…", "~"), part.tone) } : part
  )
})

/** The whole screen: exactly as many rows as the terminal has, each of exactly its width. */
export const render = (state: State): ReadonlyArray<Row> => {
  const { size } = state
  if (isTooSmall(size)) return tooSmall(state)
  const area: Area = { columns: size.columns, height: bodyHeight(size) }
  const screen = topScreen(state)
  const kind = kindOf(screen)
  const shown = [withProblem, withLongNotice, withOverlay].reduce(
    (rows, lay) => lay(state, rows, area),
    block(kind.view(state, screen, area), area.height, area.columns)
  )
  const rows = [header(state), ...block(shown, area.height, area.columns), statusLine(state), footer(state)]
  return state.settings.glyphs.name === "ascii" ? rows.map(inAscii) : rows
}
