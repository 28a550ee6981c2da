import type { ActivityNotification } from "@signalbox/core/Records"
import type { FailureGroup } from "@signalbox/operator/diagnosis/FailureGroup"
import { keyFor } from "../../actions/Action.ts"
import { bucketOf } from "@signalbox/operator/diagnosis/Histogram"
import { counted } from "@signalbox/operator/text/Counted"
import { cleanLine } from "@signalbox/operator/outlet/Outlet"
import { truncateMiddle, width } from "@signalbox/operator/text/Width"
import { whyReadOnly } from "../../state/Connection.ts"
import type { State } from "../../state/State.ts"
import type { Area } from "../../view/Area.ts"
import { paragraph } from "../../view/Fact.ts"
import { columnChart, sparkline } from "../../view/Bars.ts"
import { sideBySide, block, cell, row, type Row, rule, type Span, span, spansWidth, type Tone } from "../../view/Row.ts"
import { unknownFailures } from "@signalbox/operator/diagnosis/Coverage"
import { reachIn } from "../event/CredentialChange.ts"
import { current, type EventsScreen, groupsOf, isChosenCause, visible } from "./EventsScreen.ts"
import { drawnRange, failureBars, type Scale, scaleFor, trendBars, trendOf, unreadableBars } from "./Incident.ts"
import { coverageIn, summaryOf } from "./LoadedEvents.ts"
import { sampledBars } from "./SampleReport.ts"
import { zoneOf } from "../../view/Times.ts"

/** Cells of the longest title of a group. */
const widestTitle = 40

/** The relation of credentials to a group, with the keys that open the form where they are the fix. */
const fixOf = (
  group: FailureGroup,
  keys: string,
  { events }: EventsScreen,
  { connection, facts }: State
): readonly [Span, Span] => {
  const { credentials } = group
  if (credentials !== "cause")
    return [span(""), span(credentials === "elsewhere" ? "not credentials" : "cause unknown", "dim")]
  const { open, subscribers } = reachIn(group, events, facts)
  if (subscribers.length === 0) return [span(""), span("fixed since", "ok")]
  if (open.length === 0) return [span(""), span(`${subscribers.length} changed`, "ok")]
  return whyReadOnly(connection) === undefined
    ? [span(keys, "key"), span(` fixes ${open.length}`, "notice")]
    : [span(""), span("credentials", "notice")]
}

/** The keys that open the form for the group at a place: only the first nine have a key of their own. */
const keysTo = (at: number, state: State): string =>
  at < 9 ? `${at + 1} ${keyFor(state, "fix credentials")}` : `:cause ${at + 1}`

/** Only the first nine numbers are keys. */
const toneOfNumber = (at: number): Tone => (at < 9 ? "key" : "dim")

const groupRow = (
  [group, at, [keys, fix]]: readonly [...Placed, ReturnType<typeof fixOf>],
  fixColumns: number,
  screen: EventsScreen,
  state: State,
  columns: number
): Row => {
  const { glyphs } = state.settings
  const chosen = isChosenCause(screen, group.cause)
  return row(
    [
      span(chosen ? glyphs.cursor : " ", "accent"),
      span(String(at + 1).padEnd(2), toneOfNumber(at)),
      span(`${String(group.events.length).padStart(4)}${glyphs.times} `, "strong"),
      cell(
        group.title,
        Math.min(widestTitle, Math.max(8, columns - 9 - trendBars - 2 - fixColumns)),
        chosen ? "strong" : "plain"
      ),
      span(" "),
      span(sparkline(trendOf(screen.events, group), state.settings.glyphs), "failed"),
      span(" "),
      keys,
      cell(fix.text, fixColumns - keys.text.length, fix.tone)
    ],
    columns,
    {
      spoken: `cause ${at + 1}: ${counted(group.events.length, "time")} ${group.title}, ${counted(group.subscribers.length, "subscriber")}, ${keys.text}${fix.text}`
    }
  )
}

/** A group with its place among all groups. */
type Placed = readonly [group: FailureGroup, at: number]

/** The largest groups; if credentials fix none of them, the largest that they fix replaces the last. */
const mostImportant = (screen: EventsScreen, { facts }: State, count: number): ReadonlyArray<Placed> => {
  const placed = groupsOf(screen).map((group, at): Placed => [group, at])
  // Those that keep a number from before need not be the largest. They are drawn in the order of their numbers.
  const bySize = placed.toSorted(([a], [b]) => b.events.length - a.events.length)
  const largest = bySize.slice(0, count)
  const isFixable = ([group]: Placed) =>
    group.credentials === "cause" && reachIn(group, screen.events, facts).subscribers.length > 0
  const fixable = largest.some(isFixable) || count < 2 ? undefined : bySize.find(isFixable)
  const shown = fixable === undefined ? largest : [...largest.slice(0, -1), fixable]
  return shown.toSorted(([, a], [, b]) => a - b)
}

/** The sentence if no failure was found; empty if nothing was read. */
const noFailure = ({ events }: EventsScreen, state: State): Span => {
  const unknown = unknownFailures(coverageIn(events))
  if (unknown !== undefined) return span(` ${unknown}; ${keyFor(state, "unreadable parts")} shows why`, "warning")
  return span(events.length === 0 ? "" : ` no failure among the ${counted(events.length, "loaded event")}`, "ok")
}

const causes = (screen: EventsScreen, state: State, { columns, height }: Area): ReadonlyArray<Row> => {
  const groups = groupsOf(screen)
  const shown = mostImportant(screen, state, height - 1).map(([group, at]) => {
    const keys = isChosenCause(screen, group.cause) ? keyFor(state, "fix credentials") : keysTo(at, state)
    return [group, at, fixOf(group, keys, screen, state)] as const
  })
  const fixColumns = Math.max(16, ...shown.map(([, , [keys, fix]]) => keys.text.length + fix.text.length + 1))
  const more = groups.length - (height - 1)
  const all = keyFor(state, "all causes")
  const title =
    groups.length === 0
      ? "CAUSES"
      : more > 0
        ? `${groups.length} CAUSES, 1-9 filter, ${all} all, ${keyFor(state, "list of causes")} lists all`
        : `${groups.length} ${groups.length === 1 ? "CAUSE" : "CAUSES"}, 1-9 filter, ${all} all`
  return block(
    [
      rule(columns, state.settings.glyphs.line, title),
      ...(groups.length === 0
        ? paragraph(noFailure(screen, state).text, columns, noFailure(screen, state).tone)
        : shown.map((each) => groupRow(each, fixColumns, screen, state, columns)))
    ],
    height,
    columns
  )
}

/** The times below the bars, with a sign below the bar of the event under the cursor. */
const axis = (scale: Scale, screen: EventsScreen, state: State, columns: number): Row => {
  const { cellOf, count, range } = scale
  const used = cellOf(count)
  const loadedFrom = firstLoadedBar(screen, scale)
  const { glyphs } = state.settings
  // Below the bars: what is loaded, and what is only sampled.
  const cells = Array.from({ length: columns }, (_, at) =>
    loadedFrom === 0 || at >= used ? " " : at < cellOf(loadedFrom) ? glyphs.sampledTime : glyphs.line
  )
  const put = (text: string, at: number) => {
    for (const [index, character] of Array.from(text).entries()) {
      if (at + index < columns) cells[at + index] = character
    }
  }
  const event = current(screen)
  const at = Date.parse(event?.createdAt ?? "")
  const bar = bucketOf(at, range, count)
  const here = Number.isNaN(at) ? Number.NEGATIVE_INFINITY : Math.floor((cellOf(bar) + cellOf(bar + 1) - 1) / 2)
  // The cursor replaces a whole label: a truncated time would be wrong.
  const putLabel = (text: string, from: number) => {
    if (from >= 0 && (here < from - 1 || here > from + text.length)) put(text, from)
  }
  const zone = zoneOf(state)
  const start = zone.minute(range.from, state.now)
  putLabel(start, here >= 0 && here <= start.length ? here + 2 : 0)
  // The last bar may end in the future.
  const end = zone.minute(Math.min(range.to, Math.max(scale.newest, screen.asOf ?? state.now)), state.now)
  const last = Math.min(columns, Math.max(used, 30)) - end.length
  // Behind the sign where that is the last bar's neighbour: before it, the label would name the time of the sign.
  const behind = here + 2 + end.length <= columns ? here + 2 : here - end.length - 1
  if (last > start.length + 4) putLabel(end, here >= last - 1 ? behind : last)
  return here < 0
    ? row([span(cells.join(""), "dim")], columns, { spoken: "" })
    : row(
        [
          span(cells.slice(0, here).join(""), "dim"),
          span(glyphs.here, "accent"),
          span(cells.slice(here + 1).join(""), "dim")
        ],
        columns,
        { spoken: "" }
      )
}

/** Neighbours of one tone as one span: a row can have a bar in each of its cells. */
const joined = (bars: ReadonlyArray<readonly [text: string, tone: Tone]>): ReadonlyArray<Span> => {
  const spans: Array<Span> = []
  let text = ""
  for (const [at, [bar, tone]] of bars.entries()) {
    text += bar
    if (bars[at + 1]?.[1] === tone) continue
    spans.push(span(text, tone))
    text = ""
  }
  return spans
}

/** One row of the bars; the cell above a bar says that events of its time could not be read. */
const chartSpans = (
  line: string,
  below: string | undefined,
  unreadable: ReadonlyArray<number>,
  loadedFrom: number,
  { cellOf, isParted }: Scale,
  { settings }: State
): ReadonlyArray<Span> =>
  joined(
    Array.from(line, (level, at) => {
      const cells = cellOf(at + 1) - cellOf(at)
      const bar = (sign: string, tone: Tone) =>
        [isParted ? `${sign.repeat(cells - 1)} ` : sign.repeat(cells), tone] as const
      if (at < loadedFrom) return bar(level === " " ? " " : settings.glyphs.sampled, "dim")
      return level === " " && (unreadable[at] ?? 0) > 0 && below?.[at] !== " "
        ? bar(settings.glyphs.unknown, "warning")
        : bar(level, "failed")
    })
  )

/** The first bar of which all events are loaded; the others are drawn from a sample. */
const firstLoadedBar = ({ events, sampled }: EventsScreen, { count, range }: Scale): number => {
  const loaded = drawnRange(events)
  if (sampled === undefined || loaded === undefined) return 0
  const first = bucketOf(loaded.from, range, count)
  return first === 0 ? 0 : Math.min(count - 1, first + 1)
}

const chart = (screen: EventsScreen, state: State, { columns, height }: Area): ReadonlyArray<Row> => {
  const { glyphs } = state.settings
  const scale = scaleFor(screen.events, columns - 1, screen.sampled)
  if (scale === undefined) return block([rule(columns, glyphs.line, "FAILURES")], height, columns)
  const failures = summaryOf(screen.events).failures
  const counts = failureBars(screen.events, scale.range, scale.count)
  const { sampled } = screen
  const loadedFrom = firstLoadedBar(screen, scale)
  // Bars of times that are not loaded come from the sample.
  const drawn = sampled === undefined ? counts : sampledBars(sampled, scale.range, scale.count)
  const bars = columnChart(
    drawn.map((count, at) => (at >= loadedFrom ? (counts[at] ?? 0) : count)),
    height - 2,
    glyphs
  )
  const older = failures.length - counts.reduce((sum, count) => sum + count, 0)
  const left = older === 0 ? "" : ` (${older} older)`
  const unreadable = unreadableBars(screen.events, scale.range, scale.count)
  const total = summaryOf(screen.events).unreadable.length
  const unknown = total === 0 ? "" : `, ${glyphs.unknown} ${total} UNKNOWN`
  const known = `${counted(failures.length, "failure").toUpperCase()}${left}${unknown}${loadedFrom === 0 ? "" : `, ${glyphs.sampled} SAMPLED`}`
  const title = `${known}, a bar is ${scale.name}`
  const keys = `${title}, ${keyFor(state, "newer bar")} ${keyFor(state, "older bar")} move`
  const short = `${known}, ${scale.name} a bar`
  return [
    rule(columns, glyphs.line, [keys, title].find((text) => width(text) <= columns - 4) ?? short),
    ...bars.map((line, index) =>
      row(chartSpans(line, bars[index + 1], unreadable, loadedFrom, scale, state), columns, { spoken: "" })
    ),
    axis(scale, screen, state, columns)
  ]
}

/** One cause of the row: number, count, title and whether credentials fix it. */
const causePart = ([group, at]: Placed, title: string, screen: EventsScreen, state: State): ReadonlyArray<Span> => [
  span("  "),
  span(String(at + 1), isChosenCause(screen, group.cause) ? "title" : toneOfNumber(at)),
  span(` ${group.events.length}${state.settings.glyphs.times}`, "strong"),
  span(` ${title}`),
  ...(group.credentials === "cause"
    ? [span(": "), ...fixOf(group, keyFor(state, "fix credentials"), screen, state)]
    : [])
]

/** The causes in words: bars and signs say nothing aloud. */
const spokenCauses = (groups: ReadonlyArray<FailureGroup>, screen: EventsScreen, state: State): string =>
  [
    counted(groups.length, "cause"),
    ...mostImportant(screen, state, 2).map(([group, at]) => {
      const [keys, fix] = fixOf(group, keysTo(at, state), screen, state)
      return `${at + 1}: ${counted(group.events.length, "time")} ${group.title}, ${keys.text}${fix.text}`
    })
  ].join("; ")

/** Cells from which on a title in the row names its cause. The first cause gets all others: it is the most frequent. */
const leastTitle = 10

/** How many causes the row does not show. */
const unshown = (count: number): ReadonlyArray<Span> => (count === 0 ? [] : [span(`  +${count}`, "dim")])

/** The most important causes in one row, with shortened titles if needed; then as many others as fit unshortened. */
const oneRow = (screen: EventsScreen, state: State, columns: number): Row => {
  const groups = groupsOf(screen)
  const { glyphs } = state.settings
  const range = drawnRange(screen.events)
  if (groups.length === 0 || range === undefined) {
    return row([noFailure(screen, state)], columns)
  }
  const important = mostImportant(screen, state, 2)
  // In little room, a second cause says more than a few bars.
  const bars = columns >= 100 ? 12 : columns >= 76 ? 8 : important.length > 1 ? 0 : 6
  const spans: Array<Span> =
    bars === 0 ? [] : [span(" "), span(sparkline(failureBars(screen.events, range, bars), glyphs), "failed")]
  const titles = important.map(([{ title }]) => cleanLine(title))
  const untitled = important.flatMap((placed) => causePart(placed, "", screen, state))
  let room = columns - spansWidth([...spans, ...untitled, ...unshown(groups.length - important.length)])
  for (const [index, placed] of important.entries()) {
    const title = titles[index] ?? ""
    const kept = titles.slice(index + 1).reduce((sum, later) => sum + Math.min(leastTitle, width(later)), 0)
    const shown = truncateMiddle(title, Math.max(leastTitle, room - kept))
    spans.push(...causePart(placed, shown, screen, state))
    room -= width(shown)
  }
  let left = groups.length - important.length
  for (const [at, group] of groups.slice(0, 9).entries()) {
    if (important.some(([shown]) => shown === group)) continue
    const part = causePart([group, at], group.title, screen, state)
    if (spansWidth([...spans, ...part, ...unshown(left - 1)]) > columns) break
    spans.push(...part)
    left -= 1
  }
  return row([...spans, ...unshown(left)], columns, { spoken: spokenCauses(groups, screen, state) })
}

/**
 * The shape of an incident among the loaded events: failures over time, and their causes, the most frequent first. In one
 * row where there is no room for more.
 */
export const incidentView = (screen: EventsScreen, state: State, area: Area): ReadonlyArray<Row> => {
  if (area.height === 0) return []
  if (area.height === 1) return [oneRow(screen, state, area.columns)]
  const left = Math.floor((area.columns - 1) * 0.48)
  const right = area.columns - 1 - left
  return sideBySide(
    chart(screen, state, { columns: left, height: area.height }),
    left,
    span(" "),
    causes(screen, state, { columns: right, height: area.height }),
    right
  )
}

/** The first event of the next older (or newer) bar that has a listed event; `undefined` without such a bar. */
export const neighbourBar = (screen: EventsScreen, columns: number, step: 1 | -1): number | undefined => {
  const scale = scaleFor(screen.events, Math.floor((columns - 1) * 0.48) - 1, screen.sampled)
  const rows = visible(screen)
  const event = rows[screen.cursor.at]
  if (scale === undefined || event === undefined) return undefined
  const bar = ({ createdAt }: ActivityNotification) => {
    const at = Date.parse(createdAt ?? "")
    return at < scale.range.from ? -1 : bucketOf(at, scale.range, scale.count)
  }
  const here = bar(event)
  for (let at = screen.cursor.at + step; at >= 0 && at < rows.length; at += step) {
    const other = rows[at]
    if (other === undefined || bar(other) === here) continue
    if (step === 1) return at
    // Going up, the first event of the bar is further up.
    const wanted = bar(other)
    let first = at
    while (first > 0 && bar(rows[first - 1] ?? other) === wanted) first -= 1
    return first
  }
  return undefined
}
