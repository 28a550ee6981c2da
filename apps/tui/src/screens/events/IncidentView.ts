import type { ActivityNotification } from "@signalbox/core/Activity"
import type { FailureGroup } from "@signalbox/operator/diagnosis/FailureGroup"
import { bucketOf, histogram, type TimeRange, timeRange } from "@signalbox/operator/diagnosis/Histogram"
import { eventResult } from "@signalbox/operator/status/Status"
import { clock, dayName, isSameDay } from "@signalbox/operator/text/Moment"
import { width } from "@signalbox/operator/text/Width"
import type { State } from "../../state/State.ts"
import type { Area } from "../../view/Area.ts"
import { columnChart, sparkline } from "../../view/Bars.ts"
import { beside, block, cell, row, type Row, rule, type Span, span, spansWidth } from "../../view/Row.ts"
import { current, type EventsScreen, groupsOf, visible } from "./EventsScreen.ts"

const minute = 60_000
const hour = 60 * minute

/** Lengths of a bar that people count in. */
const lengths: ReadonlyArray<readonly [milliseconds: number, name: string]> = [
  [minute, "1 min"],
  [2 * minute, "2 min"],
  [5 * minute, "5 min"],
  [10 * minute, "10 min"],
  [15 * minute, "15 min"],
  [30 * minute, "30 min"],
  [hour, "1 hour"],
  [2 * hour, "2 hours"],
  [6 * hour, "6 hours"],
  [12 * hour, "12 hours"],
  [24 * hour, "1 day"]
]

/** A time range in bars of a round length. */
export interface Scale {
  readonly range: TimeRange
  readonly count: number
  /** Length of a bar in words: `30 min`. */
  readonly name: string
  /** Cells of a bar. */
  readonly cells: number
}

/** The loaded time in at most `columns` bars of a round length; absent where no event has a time. */
export const scaleFor = (events: ReadonlyArray<ActivityNotification>, columns: number): Scale | undefined => {
  const range = timeRange(events)
  if (range === undefined || columns < 1) return undefined
  const bars = (length: number) => Math.floor(range.to / length) - Math.floor(range.from / length) + 1
  const days = Math.ceil((range.to - range.from) / (24 * hour) / columns) + 1
  const [length, name] = lengths.find(([milliseconds]) => bars(milliseconds) <= columns) ?? [
    days * 24 * hour,
    `${days} days`
  ]
  const from = Math.floor(range.from / length) * length
  const count = Math.floor((range.to - from) / length) + 1
  return {
    range: { from, to: from + count * length - 1 },
    count,
    name,
    cells: Math.min(3, Math.floor(columns / count))
  }
}

const failed = new WeakMap<ReadonlyArray<ActivityNotification>, ReadonlyArray<ActivityNotification>>()

/** The events that failed, found once for a list. */
export const failuresIn = (events: ReadonlyArray<ActivityNotification>): ReadonlyArray<ActivityNotification> => {
  const known = failed.get(events)
  if (known !== undefined) return known
  const found = events.filter((event) => eventResult(event).kind === "failed")
  failed.set(events, found)
  return found
}

/** Cells of the longest title of a group. */
const widestTitle = 40

/** Bars of the trend of a group. */
const trendBars = 8

const trend = (group: FailureGroup, screen: EventsScreen, state: State): string => {
  const range = timeRange(screen.events)
  return range === undefined ? "" : sparkline(histogram(group.events, range, trendBars), state.settings.glyphs)
}

/** What credentials have to do with a group. */
const fixOf = ({ credentials, subscribers }: FailureGroup): Span => {
  if (credentials === "cause") return span(`c fixes ${subscribers.length}`, "notice")
  return span(credentials === "elsewhere" ? "not credentials" : "cause unknown", "dim")
}

const isChosen = (group: FailureGroup, screen: EventsScreen): boolean =>
  screen.filter.clauses.some(
    ({ key, negated, values }) =>
      key === "cause" &&
      !negated &&
      values.some((value) => value === group.cause || group.cause.startsWith(`${value}/`))
  )

const groupRow = (group: FailureGroup, at: number, screen: EventsScreen, state: State, columns: number): Row => {
  const { glyphs } = state.settings
  const fix = fixOf(group)
  const fixColumns = 16
  const chosen = isChosen(group, screen)
  return row(
    [
      span(chosen ? glyphs.cursor : " ", "accent"),
      span(at < 9 ? String(at + 1) : " ", "key"),
      span(`${String(group.events.length).padStart(5)}${glyphs.times} `, "strong"),
      cell(
        group.title,
        Math.min(widestTitle, Math.max(8, columns - 9 - trendBars - 2 - fixColumns)),
        chosen ? "strong" : "plain"
      ),
      span(" "),
      span(trend(group, screen, state), "failed"),
      span(" "),
      { ...fix, ...cell(fix.text, fixColumns, fix.tone) }
    ],
    columns,
    {
      spoken: `cause ${at + 1}: ${group.events.length} times ${group.title}, ${group.subscribers.length} subscribers, ${fix.text}`
    }
  )
}

/** A group with its place among all groups. */
type Placed = readonly [group: FailureGroup, at: number]

/** The largest groups; the last of them gives way to the largest that credentials fix, where none of them is one. */
const mostImportant = (groups: ReadonlyArray<FailureGroup>, count: number): ReadonlyArray<Placed> => {
  const placed = groups.map((group, at): Placed => [group, at])
  const largest = placed.slice(0, count)
  if (largest.some(([{ credentials }]) => credentials === "cause")) return largest
  const fixable = placed.find(([{ credentials }]) => credentials === "cause")
  return fixable === undefined || count < 2 ? largest : [...largest.slice(0, -1), fixable]
}

const causes = (screen: EventsScreen, state: State, { columns, height }: Area): ReadonlyArray<Row> => {
  const groups = groupsOf(screen)
  const more = groups.length - (height - 1)
  const title =
    groups.length === 0
      ? "CAUSES"
      : `CAUSES ${groups.length}, number filters, 0 all${more > 0 ? `, ${more} more below` : ""}`
  return block(
    [
      rule(columns, state.settings.glyphs.line, title),
      ...(groups.length === 0
        ? [row([span(` no failure among the ${screen.events.length} loaded events`, "ok")], columns)]
        : mostImportant(groups, height - 1).map(([group, at]) => groupRow(group, at, screen, state, columns)))
    ],
    height,
    columns
  )
}

const label = (at: number, now: number): string => {
  const time = clock(at).slice(0, 5)
  return isSameDay(at, now) ? time : `${dayName(at, now)} ${time}`
}

/** The times below the bars, with a sign below the bar of the event under the cursor. */
const axis = (scale: Scale, screen: EventsScreen, state: State, columns: number): Row => {
  const { count, range } = scale
  const used = count * scale.cells
  const cells = Array.from({ length: columns }, () => " ")
  const put = (text: string, at: number) => {
    for (const [index, character] of Array.from(text).entries()) {
      if (at + index < columns) cells[at + index] = character
    }
  }
  put(label(range.from, state.now), 0)
  const end = label(range.to, state.now)
  const last = Math.min(columns, Math.max(used, 30)) - end.length
  if (last > 20) put(end, last)
  const event = current(screen)
  const at = Date.parse(event?.createdAt ?? "")
  const here = Number.isNaN(at) ? -1 : bucketOf(at, range, count) * scale.cells
  return here < 0
    ? row([span(cells.join(""), "dim")], columns, { spoken: "" })
    : row(
        [
          span(cells.slice(0, here).join(""), "dim"),
          span(state.settings.glyphs.here, "accent"),
          span(cells.slice(here + 1).join(""), "dim")
        ],
        columns,
        { spoken: "" }
      )
}

const chart = (screen: EventsScreen, state: State, { columns, height }: Area): ReadonlyArray<Row> => {
  const { glyphs } = state.settings
  const scale = scaleFor(screen.events, columns - 1)
  if (scale === undefined) return block([rule(columns, glyphs.line, "FAILURES")], height, columns)
  const failures = failuresIn(screen.events)
  const bars = columnChart(histogram(failures, scale.range, scale.count), height - 2, glyphs)
  return [
    rule(columns, glyphs.line, `${failures.length} FAILURES, a bar is ${scale.name}, [ ] move by bars`),
    ...bars.map((line) =>
      row([span(Array.from(line, (bar) => bar.repeat(scale.cells)).join(""), "failed")], columns, { spoken: "" })
    ),
    axis(scale, screen, state, columns)
  ]
}

/** The causes in one row, as many as fit. */
const oneRow = (screen: EventsScreen, state: State, columns: number): Row => {
  const groups = groupsOf(screen)
  const { glyphs } = state.settings
  const range = timeRange(screen.events)
  if (groups.length === 0 || range === undefined) {
    const text = screen.events.length === 0 ? "" : ` no failure among the ${screen.events.length} loaded events`
    return row([span(text, "dim")], columns)
  }
  const bars = columns >= 100 ? 12 : columns >= 76 ? 8 : 6
  const spans: Array<Span> = [
    span(" "),
    span(sparkline(histogram(failuresIn(screen.events), range, bars), glyphs), "failed")
  ]
  const shown = mostImportant(groups, columns >= 76 ? 2 : 1)
  const order = [...shown, ...groups.slice(shown.length, 9).map((group, at): Placed => [group, at + shown.length])]
  for (const [place, [group, at]] of order.entries()) {
    const fix = fixOf(group)
    const part = [
      span("  "),
      span(String(at + 1), isChosen(group, screen) ? "title" : "key"),
      span(` ${group.events.length}${glyphs.times}`, "strong"),
      span(` ${group.title}`),
      ...(group.credentials === "cause" ? [span(": "), fix] : [])
    ]
    const rest = place === groups.length - 1 ? 0 : width(`  +${groups.length - place - 1}`)
    if (spansWidth(spans) + spansWidth(part) + rest > columns) {
      spans.push(span(`  +${groups.length - place}`, "dim"))
      break
    }
    spans.push(...part)
  }
  return row(spans, columns)
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
  return beside(
    chart(screen, state, { columns: left, height: area.height }),
    left,
    span(" "),
    causes(screen, state, { columns: right, height: area.height }),
    right
  )
}

/** The first event of the next older (or newer) bar that has a listed event; `undefined` where there is none. */
export const neighbourBar = (screen: EventsScreen, columns: number, step: 1 | -1): number | undefined => {
  const scale = scaleFor(screen.events, Math.floor((columns - 1) * 0.48) - 1)
  const rows = visible(screen)
  const event = rows[screen.cursor.at]
  if (scale === undefined || event === undefined) return undefined
  const bar = ({ createdAt }: ActivityNotification) => bucketOf(Date.parse(createdAt ?? ""), scale.range, scale.count)
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
