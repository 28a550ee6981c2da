/**
 * Failures with the same cause, provider and step, counted among the events that are loaded: "9 × phone number missing"
 * instead of nine red rows.
 */
import * as Struct from "effect/Struct"
import type { ActivityJob, ActivityNotification } from "@signalbox/core/Records"
import { jobResult } from "../status/Status.ts"
import { type Diagnosis, diagnose } from "./Diagnosis.ts"
import type { Owner } from "./Owner.ts"
import { type CredentialsRole, ofIntegration, ofIntegrations } from "./Rule.ts"
import { oncePer } from "../reading/OncePer.ts"

/** One failed job of an event and its cause. */
export interface Failure {
  /**
   * Rule, step and provider: `webhook-url-missing/chat/slack`; failures that no rule recognises end with the words of
   * their message. A value of `cause:` in filters.
   */
  readonly cause: string
  /** A few words: `slack webhook missing`. */
  readonly title: string
  readonly diagnosis: Diagnosis
}

/** Failures with the same cause. */
export interface FailureGroup {
  /** Rule, step and provider: `webhook-url-missing/chat/slack`. */
  readonly cause: string
  /** A few words, those of the newest failure: `slack webhook missing`. */
  readonly title: string
  /** Name of the rule. */
  readonly rule: string
  /** Type of the step: `chat`. */
  readonly step: string
  /** As the service names it; absent where it does not say. */
  readonly providerId?: string
  /** Who can fix it. */
  readonly owner: Owner
  /** Whether storing credentials is the fix. */
  readonly credentials: CredentialsRole
  /** The events with such a failure, in the order of the list. */
  readonly events: ReadonlyArray<ActivityNotification>
  /** External ids of the subscribers affected, each once, in the order of the list. */
  readonly subscribers: ReadonlyArray<string>
  /** Time of the first and of the last of the events, in milliseconds since 1970; absent where no event has a time. */
  readonly firstSeen?: number
  readonly lastSeen?: number
}

// The service decides what a provider and a step are called; a slash inside would look like another level.
const part = (text: string): string => text.replaceAll(/[/\s,"]+/gu, "-")

/** Characters of a fingerprint. */
const fingerprintLimit = 60

/**
 * The words of a message that stay the same when it is written again: without addresses, quoted values and all that has a
 * digit.
 */
const fingerprint = (message: string): string =>
  message
    .slice(0, 1000)
    .toLowerCase()
    .replaceAll(/\b[a-z]+:\/\/\S+|\S+@\S+|"[^"]*"|'[^']*'|`[^`]*`/gu, " ")
    .split(/[^\p{Letter}\p{Number}_.-]+/u)
    .filter((word) => word !== "" && !/\p{Number}/u.test(word))
    .join("-")
    .slice(0, fingerprintLimit)

/** Rule, step and provider; for failures that no rule recognises also what the message has in common with others. */
const causeFrom = ({ isRecognised, job, providerId, rule, title }: Diagnosis): string =>
  [
    rule,
    part(job.type),
    ...(providerId === undefined ? [] : [part(providerId)]),
    ...(isRecognised ? [] : [fingerprint(title ?? "")])
  ]
    .filter((each) => each !== "")
    .join("/")

const noDetails: ActivityJob["executionDetails"] = []
const noStep: ActivityJob["step"] = { _id: "", _templateId: "", active: true, filters: [] }

/** The parts of a job that groups and lists of events need. */
export const outlineOfJob = ({ _id, providerId, type }: ActivityJob, status: string): ActivityJob => ({
  _id,
  type,
  status,
  executionDetails: noDetails,
  step: noStep,
  ...(providerId === undefined ? {} : { providerId })
})

const remembered = new WeakMap<ActivityNotification, ReadonlyArray<Failure>>()

const findFailures = (event: ActivityNotification): ReadonlyArray<Failure> => {
  const failures = new Map<string, Failure>()
  for (const job of event.jobs ?? []) {
    if (jobResult(job).kind !== "failed") continue
    const diagnosis = diagnose(event, job)
    if (diagnosis === undefined) continue
    const cause = causeFrom(diagnosis)
    if (!failures.has(cause)) failures.set(cause, { cause, title: diagnosis.title ?? diagnosis.rule, diagnosis })
  }
  return Array.from(failures.values())
}

/** The failed jobs of an event with their causes, each cause once; computed once for an event. */
export const failuresOf: (event: ActivityNotification) => ReadonlyArray<Failure> = oncePer(findFailures, remembered)

/** Gives an outline of an event the failures of the event, without the job and the detail in which they were found. */
export const withFailuresOf = (event: ActivityNotification, outline: ActivityNotification): ActivityNotification => {
  const failures = failuresOf(event).map(({ cause, diagnosis, title }) => {
    const job = outlineOfJob(diagnosis.job, "failed")
    return { cause, title, diagnosis: { ...Struct.omit(diagnosis, ["detail"]), job } }
  })
  remembered.set(outline, failures)
  return outline
}

/** The diagnoses of an event: every failure once, or otherwise the step that decided the result. */
export const diagnosesOf = (event: ActivityNotification): ReadonlyArray<Diagnosis> => {
  const failures = failuresOf(event).map(({ diagnosis }) => diagnosis)
  const decisive = failures.length > 0 ? undefined : diagnose(event)
  return decisive === undefined ? failures : [decisive]
}

/**
 * Whether a failure has this cause; a rule alone, or a rule and a step, match all below them.
 *
 * @example
 * ```ts
 * isCause("webhook-url-missing/chat/slack", "webhook-url-missing") // => true
 * ```
 */
export const isCause = (cause: string, wanted: string): boolean =>
  cause.startsWith(wanted) && (cause.length === wanted.length || cause[wanted.length] === "/")

/**
 * Whether a failure of the event has this cause; a rule alone, or a rule and a step, match all below them.
 *
 * @example
 * ```ts
 * hasCause(event, "webhook-url-missing") // => true for webhook-url-missing/chat/slack
 * ```
 */
export const hasCause = (event: ActivityNotification, cause: string): boolean =>
  failuresOf(event).some((failure) => isCause(failure.cause, cause))

interface Growing {
  readonly failure: Failure
  readonly events: Array<ActivityNotification>
  readonly subscribers: Set<string>
  first: number
  last: number
}

const finished = ({ events, failure, first, last, subscribers }: Growing): FailureGroup => {
  const { credentials, job, owner, providerId, rule } = failure.diagnosis
  return {
    cause: failure.cause,
    title: failure.title,
    rule,
    step: job.type,
    owner,
    ...(providerId === undefined ? {} : { providerId }),
    credentials,
    events,
    subscribers: Array.from(subscribers),
    ...(last < first ? {} : { firstSeen: first, lastSeen: last })
  }
}

/**
 * The failures among the events as groups, the largest first; of equal ones the latest first. Expects the events newest
 * first, as the service lists them.
 *
 * @example
 * ```ts
 * for (const { title, events, subscribers } of failureGroups(page.data)) {
 *   console.log(`${events.length} × ${title}, ${subscribers.length} subscribers`)
 * }
 * ```
 */
export const failureGroups = (events: ReadonlyArray<ActivityNotification>): ReadonlyArray<FailureGroup> => {
  const groups = new Map<string, Growing>()
  for (const event of events) {
    for (const failure of failuresOf(event)) {
      let group = groups.get(failure.cause)
      if (group === undefined) {
        group = {
          failure,
          events: [],
          subscribers: new Set(),
          first: Number.POSITIVE_INFINITY,
          last: Number.NEGATIVE_INFINITY
        }
        groups.set(failure.cause, group)
      }
      group.events.push(event)
      group.subscribers.add(event.subscriber?.subscriberId ?? event._subscriberId)
      const at = Date.parse(event.createdAt ?? "")
      if (!Number.isNaN(at)) {
        group.first = Math.min(group.first, at)
        group.last = Math.max(group.last, at)
      }
    }
  }
  return Array.from(groups.values(), finished).sort(byImportance)
}

/**
 * The diagnosis of the newest failure of a group. Where the failures concern several integrations, its sentences name all of
 * them, and its prefill none; each subscriber may need another. Absent for a group without events.
 */
export const groupDiagnosis = ({ cause, events }: FailureGroup): Diagnosis | undefined => {
  let newest: Diagnosis | undefined
  const identifiers = new Set<string | undefined>()
  for (const event of events) {
    const diagnosis = failuresOf(event).find((failure) => failure.cause === cause)?.diagnosis
    newest ??= diagnosis
    if (diagnosis !== undefined) identifiers.add(diagnosis.prefill?.integrationIdentifier)
  }
  if (newest?.prefill === undefined || identifiers.size < 2) return newest
  const { integrationIdentifier, ...prefill } = newest.prefill
  const named = Array.from(identifiers).filter((identifier) => identifier !== undefined)
  const all = named.length < identifiers.size ? "" : ofIntegrations(named.toSorted())
  const naming = (sentence: string) => sentence.replace(ofIntegration(integrationIdentifier), all)
  return { ...newest, cause: naming(newest.cause), advice: naming(newest.advice), prefill }
}

/** The groups with the provider, or else the step, before each title that several of them have. */
export const withDistinctTitles = (groups: ReadonlyArray<FailureGroup>): ReadonlyArray<FailureGroup> => {
  const once = new Set<string>()
  const several = new Set<string>()
  for (const { title } of groups) (once.has(title) ? several : once).add(title)
  return groups.map((group) =>
    several.has(group.title) ? { ...group, title: `${group.providerId ?? group.step}: ${group.title}` } : group
  )
}

const byImportance = (a: FailureGroup, b: FailureGroup): number =>
  b.events.length - a.events.length || (b.lastSeen ?? 0) - (a.lastSeen ?? 0)

const earliest = (a = Number.POSITIVE_INFINITY, b = Number.POSITIVE_INFINITY): number => Math.min(a, b)
const latest = (a = Number.NEGATIVE_INFINITY, b = Number.NEGATIVE_INFINITY): number => Math.max(a, b)

const joined = (newer: FailureGroup, older: FailureGroup): FailureGroup => {
  const first = earliest(newer.firstSeen, older.firstSeen)
  const last = latest(newer.lastSeen, older.lastSeen)
  return {
    ...newer,
    events: [...newer.events, ...older.events],
    subscribers: Array.from(new Set([...newer.subscribers, ...older.subscribers])),
    ...(last < first ? {} : { firstSeen: first, lastSeen: last })
  }
}

/**
 * The failure groups of two lists, the first with newer events than the second: the same as those of both lists together,
 * without looking at each event again.
 */
export const joinGroups = (
  newer: ReadonlyArray<FailureGroup>,
  older: ReadonlyArray<FailureGroup>
): ReadonlyArray<FailureGroup> => {
  if (newer.length === 0) return older
  if (older.length === 0) return newer
  const groups = new Map(newer.map((group) => [group.cause, group]))
  for (const group of older) {
    const known = groups.get(group.cause)
    groups.set(group.cause, known === undefined ? group : joined(known, group))
  }
  return Array.from(groups.values()).sort(byImportance)
}
