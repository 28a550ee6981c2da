/**
 * Events with all that a diagnosis needs of them. The client leaves out a job in which any field does not fit the contract;
 * the result and the cause of a job need its type, its status and its execution details only. A part that cannot
 * be restored stays in the event as `unreadable`, so that no result is computed without it.
 */
import type { ActivityJob, ActivityNotification, ExecutionDetail } from "@signalbox/core/Records"
import { withInfo } from "@signalbox/core/CallInfo"
import type { Unreadable } from "@signalbox/core/Drift"
import type { EventsShape } from "@signalbox/core/Events"
import * as Effect from "effect/Effect"
import { unreadable } from "../status/Status.ts"

type Fields = Readonly<Record<string, unknown>>

const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const textOf = (value: unknown, otherwise = ""): string => (typeof value === "string" ? value : otherwise)

/** Those of the fields that are strings: optional fields of other types are left out. */
const strings = (fields: Fields, names: ReadonlyArray<string>): Readonly<Record<string, string>> =>
  Object.fromEntries(names.flatMap((name) => (typeof fields[name] === "string" ? [[name, fields[name]]] : [])))

const detailFrom = (raw: unknown): ExecutionDetail => {
  const fields = isFields(raw) ? raw : {}
  const { detail, isRetry, isTest, source, status } = fields
  const isReadable = typeof detail === "string" && typeof status === "string"
  return {
    _id: textOf(fields["_id"]),
    isRetry: isRetry === true,
    isTest: isTest === true,
    source: textOf(source, unreadable),
    ...strings(fields, ["createdAt", "providerId", "raw"]),
    detail: isReadable ? detail : unreadable,
    status: isReadable ? status : unreadable
  }
}

const jobFrom = (raw: unknown): ActivityJob => {
  const fields = isFields(raw) ? raw : {}
  const { executionDetails, status, type } = fields
  const step = isFields(fields["step"]) ? fields["step"] : {}
  const isReadable = typeof type === "string" && typeof status === "string" && Array.isArray(executionDetails)
  return {
    _id: textOf(fields["_id"]),
    ...strings(fields, ["providerId", "updatedAt"]),
    type: textOf(type, unreadable),
    status: isReadable ? status : unreadable,
    executionDetails: Array.isArray(executionDetails) ? executionDetails.map(detailFrom) : [],
    step: {
      _id: textOf(step["_id"]),
      _templateId: textOf(step["_templateId"]),
      active: step["active"] !== false,
      filters: [],
      ...strings(step, ["name"])
    }
  }
}

const jobsFrom = (raw: unknown): ReadonlyArray<ActivityJob> => (Array.isArray(raw) ? raw.map(jobFrom) : [jobFrom(raw)])

/** A whole record that the client left out. `place` identifies one that has no id. */
const eventFrom = (raw: unknown, place: string): ActivityNotification => {
  const fields = isFields(raw) ? raw : {}
  const { jobs, payload, subscriber, template } = fields
  return {
    ...strings(fields, ["_id", "createdAt", "updatedAt", "_templateId", "severity"]),
    _environmentId: textOf(fields["_environmentId"]),
    _organizationId: textOf(fields["_organizationId"]),
    _subscriberId: textOf(fields["_subscriberId"]),
    transactionId: textOf(fields["transactionId"], `unreadable ${place}`),
    ...(isFields(subscriber) && typeof subscriber["subscriberId"] === "string"
      ? {
          subscriber: {
            _id: textOf(subscriber["_id"]),
            subscriberId: subscriber["subscriberId"],
            ...strings(subscriber, ["firstName", "lastName", "email", "phone"])
          }
        }
      : {}),
    ...(isFields(template) && typeof template["name"] === "string"
      ? { template: { name: template["name"], triggers: [], ...strings(template, ["_id"]) } }
      : {}),
    ...(isFields(payload) ? { payload } : {}),
    jobs: jobsFrom(jobs)
  }
}

/** The parts that were left out of one array, by their index in the response. */
type Gaps = ReadonlyMap<number, unknown>

/** The array of a response, with a value made for each element that the client left out. */
const filled = <A>(kept: ReadonlyArray<A>, gaps: Gaps, make: (raw: unknown, index: number) => A): ReadonlyArray<A> => {
  if (gaps.size === 0) return kept
  let next = 0
  return Array.from({ length: kept.length + gaps.size }, (_, index) => {
    const element = gaps.has(index) ? undefined : kept[next]
    if (element === undefined) return make(gaps.get(index), index)
    next += 1
    return element
  })
}

/** The parts that were left out of one event of a response. */
interface Missing {
  event?: { readonly raw: unknown }
  jobs?: { readonly raw: unknown }
  readonly job: Map<number, unknown>
  /** By the index of the job in the response. */
  readonly details: Map<number, Map<number, unknown>>
}

const place = /^data\[(\d+)\](?:(\.jobs)(?:\[(\d+)\](?:\.executionDetails\[(\d+)\])?)?)?$/u

const missingIn = (parts: ReadonlyArray<Unreadable>): ReadonlyMap<number, Missing> => {
  const found = new Map<number, Missing>()
  for (const { path, raw } of parts) {
    const [, at, jobs, job, detail] = place.exec(path) ?? []
    if (at === undefined) continue
    const missing: Missing = found.get(Number(at)) ?? { job: new Map(), details: new Map() }
    found.set(Number(at), missing)
    if (jobs === undefined) missing.event = { raw }
    else if (job === undefined) missing.jobs = { raw }
    else if (detail === undefined) missing.job.set(Number(job), raw)
    else {
      const details = missing.details.get(Number(job)) ?? new Map<number, unknown>()
      missing.details.set(Number(job), details.set(Number(detail), raw))
    }
  }
  return found
}

const noGaps: Gaps = new Map()

const restoredJobs = (jobs: ReadonlyArray<ActivityJob>, { details, job }: Missing): ReadonlyArray<ActivityJob> =>
  filled(jobs, job, jobFrom).map((each, index) => {
    const gaps = details.get(index) ?? noGaps
    return gaps.size === 0
      ? each
      : Object.assign({}, each, { executionDetails: filled(each.executionDetails, gaps, detailFrom) })
  })

/**
 * The events of a page with the jobs, execution details and records that the client left out; the page's own events where
 * it left out none of them.
 *
 * @example
 * ```ts
 * const { call, value } = yield* withInfo(events.list())
 * const complete = restored(value.data, call.unreadable)
 * ```
 */
export const restored = (
  events: ReadonlyArray<ActivityNotification>,
  parts: ReadonlyArray<Unreadable>
): ReadonlyArray<ActivityNotification> => {
  if (parts.length === 0) return events
  const missing = missingIn(parts)
  if (missing.size === 0) return events
  const records = new Map<number, unknown>()
  for (const [index, { event }] of missing) if (event !== undefined) records.set(index, event.raw)
  return filled(events, records, (raw, index) => eventFrom(raw, `data[${index}]`)).map((event, index) => {
    const lost = missing.get(index)
    if (lost === undefined || lost.event !== undefined) return event
    const jobs = lost.jobs === undefined ? restoredJobs(event.jobs ?? [], lost) : jobsFrom(lost.jobs.raw)
    return Object.assign({}, event, { jobs })
  })
}

/**
 * Lists events with all that could be restored; for walks, pass it instead of the service. `onUnreadable` receives the
 * parts of each response that the client left out.
 *
 * @example
 * ```ts
 * const walk = yield* EventWalk.make(restoring(yield* Events), { limit: 50 })
 * ```
 */
export const restoring = (
  { list }: Pick<EventsShape, "list">,
  onUnreadable: (parts: ReadonlyArray<Unreadable>) => void = () => {}
): Pick<EventsShape, "list"> => ({
  list: (filters) =>
    Effect.map(withInfo(list(filters)), ({ call, value }) => {
      onUnreadable(call.unreadable)
      return { ...value, data: restored(value.data, call.unreadable) }
    })
})
