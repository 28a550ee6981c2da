/**
 * An incident as Markdown for a ticket or a channel: its causes with counts and times, samples, and changes made since.
 * Without secrets, and without personal data except for the ids of subscribers.
 */
import type { ActivityNotification } from "@signalbox/core/Records"
import { coverageOf, failedOf, unknownFailures } from "../diagnosis/Coverage.ts"
import { groupDiagnosis, type FailureGroup, failureGroups, withDistinctTitles } from "../diagnosis/FailureGroup.ts"
import { type ChangesOf, type EventsOf, eventsOf, fixReach, waitingFor } from "../diagnosis/FixReach.ts"
import { ownerNames } from "../diagnosis/Owner.ts"
import { histogram, timeRange } from "../diagnosis/Histogram.ts"
import { reasonLines, type UnreadableReasons } from "../reading/UnreadableReasons.ts"
import { counted } from "../text/Counted.ts"
import type { Onset } from "../window/Sample.ts"
import { code, prose } from "./Markdown.ts"

/** Something that was done about the incident. */
export interface IncidentAction {
  /** Milliseconds since 1970. */
  readonly at: number
  readonly text: string
}

/** The parts of an incident report. */
export interface Incident {
  /** The loaded events that match the filter, newest first. */
  readonly events: ReadonlyArray<ActivityNotification>
  /** All loaded events, newest first: a later one may show that a failure is fixed. */
  readonly loaded: ReadonlyArray<ActivityNotification>
  /** Why parts of the events could not be read. */
  readonly unreadable: UnreadableReasons
  /** When credentials were changed since. */
  readonly changesOf?: ChangesOf
  /** Since when causes last, as a sample of the window found. */
  readonly onsets?: ReadonlyMap<string, Onset>
  /** Name of the connection. */
  readonly connection: string
  /** The filter of the list in written form; empty if the list has no filter. */
  readonly filter: string
  readonly actions: ReadonlyArray<IncidentAction>
  /** When the events were read, in milliseconds since 1970. */
  readonly asOf: number
}

const levels = "▁▂▃▄▅▆▇█"

/** Samples of a group. */
const samples = 3

/** Subscribers of a group that are named. */
const namedSubscribers = 20

const subscribersOf = ({ subscribers }: FailureGroup): string =>
  [
    subscribers.slice(0, namedSubscribers).map(code).join(", "),
    ...(subscribers.length > namedSubscribers ? [`and ${subscribers.length - namedSubscribers} more`] : [])
  ].join(" ")

const utc = (at: number): string => `${new Date(at).toISOString().slice(0, 19).replace("T", " ")}Z`

const fixOf = (group: FailureGroup, { events, changesOf }: Loaded): string => {
  if (group.credentials !== "cause") return ownerNames[group.owner]
  const reach = fixReach(group, events, changesOf)
  const { length } = reach.open
  const all = counted(group.subscribers.length, "subscriber")
  const waiting = waitingFor(reach)
  if (length + waiting === 0) return "none: no subscriber needs credentials any more"
  return length === group.subscribers.length
    ? `credentials of ${all}`
    : `credentials of ${length} of ${all}${waiting === 0 ? "" : `, changed for ${waiting}`}${length + waiting === group.subscribers.length ? "" : ", not needed for the others"}`
}

interface Loaded {
  readonly events: EventsOf
  readonly changesOf: ChangesOf | undefined
}

const trendOf = (group: FailureGroup, events: ReadonlyArray<ActivityNotification>): string => {
  const range = timeRange(events)
  if (range === undefined) return ""
  const counts = histogram(group.events, range, 12)
  const highest = Math.max(1, ...counts)
  return counts.map((count) => levels[count === 0 ? 0 : Math.max(1, Math.round((count / highest) * 7))] ?? "").join("")
}

const sampleOf = (event: ActivityNotification): string => {
  const at = Date.parse(event.createdAt ?? "")
  const subscriber = event.subscriber?.subscriberId ?? event._subscriberId
  return `  - ${Number.isNaN(at) ? "no time" : utc(at)} ${prose(event.template?.name ?? "(workflow deleted)")} for ${code(subscriber)}, transaction ${code(event.transactionId)}`
}

const sinceOf = (onset: Onset): string => {
  switch (onset._tag) {
    case "Began":
      return `began ${utc(onset.at)} ± ${Math.ceil(onset.precisionMs / 60_000)} min`
    case "Before":
      return `began before ${utc(onset.at)}`
    case "Intermittent":
      return `intermittent, first seen ${utc(onset.firstSeen)}`
  }
}

const section = (group: FailureGroup, index: number, onset: Onset | undefined): ReadonlyArray<string> => {
  const diagnosis = groupDiagnosis(group)
  return [
    "",
    `## ${index + 1}. ${prose(group.title)}: ${counted(group.events.length, "event")}, ${counted(group.subscribers.length, "subscriber")}`,
    "",
    ...(diagnosis === undefined
      ? []
      : [
          `- Cause: ${prose(diagnosis.cause)}`,
          `- Who can fix it: ${prose(diagnosis.ownerNote)}`,
          `- Next: ${prose(diagnosis.advice)}`
        ]),
    ...(onset === undefined ? [] : [`- Since: ${sinceOf(onset)}`]),
    `- Filter: ${code(`cause:${group.cause}`)}`,
    `- Subscribers: ${subscribersOf(group)}`,
    `- Newest:`,
    ...group.events.slice(0, samples).map(sampleOf)
  ]
}

/**
 * The incident as Markdown, ending with a line break.
 *
 * @example
 * ```ts
 * incidentReport({ events: page.data, loaded: page.data, unreadable, connection: "prod", filter: "", actions: [], asOf })
 * ```
 */
export const incidentReport = (incident: Incident): string => {
  const { actions, asOf, changesOf, connection, events, filter, loaded, onsets, unreadable } = incident
  const groups = withDistinctTitles(failureGroups(events))
  const coverage = coverageOf(events)
  const { range } = coverage
  const unknown = unknownFailures(coverage)
  const known: Loaded = { events: eventsOf(loaded), changesOf }
  const when = range === undefined ? "" : `, from ${utc(range.from)} to ${utc(range.to)}`
  const time = (at: number | undefined) => (at === undefined ? "" : utc(at))
  return [
    `# ${counted(coverage.failed, "failed event")} on ${code(connection)}, as of ${utc(asOf)}`,
    "",
    ...(unknown === undefined
      ? []
      : [
          `**${unknown}.** What could not be read:`,
          "",
          ...reasonLines(unreadable).map((line) => `- ${code(line)}`),
          ""
        ]),
    `${failedOf(coverage)} events${filter === "" ? "" : ` that match ${code(filter)}`}, among ${counted(loaded.length, "loaded event")}${when}.`,
    ...(groups.length === 0
      ? []
      : [
          "",
          "| Events | Cause | Step | Subscribers | First | Last | Trend | Fix |",
          "| -----: | ----- | ---- | ----------: | ----- | ---- | ----- | --- |",
          ...groups.map(
            (group) =>
              `| ${group.events.length} | ${prose(group.title)} | ${prose(group.step)} | ${group.subscribers.length} | ${time(group.firstSeen)} | ${time(group.lastSeen)} | ${trendOf(group, events)} | ${fixOf(group, known)} |`
          )
        ]),
    ...groups.flatMap((group, index) => section(group, index, onsets?.get(group.cause))),
    "",
    "## Actions taken",
    "",
    ...(actions.length === 0 ? ["None."] : actions.map(({ at, text }) => `- ${utc(at)} ${prose(text)}`)),
    ""
  ].join("\n")
}
