import type { EventFilters } from "@signalbox/core/Events"
import { type ActivityJob, type ActivityNotification, type ExecutionDetail, inOrder } from "@signalbox/core/Records"
import { type Failure, failuresOf } from "@signalbox/operator/diagnosis/FailureGroup"
import type { Problem } from "@signalbox/operator/report/ProblemReport"
import { detailKind, jobResult } from "@signalbox/operator/status/Status"
import { start, type Cursor } from "../Cursor.ts"

/** One event: its jobs and their execution details. */
export interface EventScreen {
  readonly _tag: "Event"
  readonly id: number
  readonly event: ActivityNotification
  readonly asOf: number
  readonly loading: boolean
  /** How many times more it is read by itself while its jobs are not done. */
  readonly following: number
  readonly problem: Problem | undefined
  /** Jobs whose execution details are shown. */
  readonly unfolded: ReadonlySet<string>
  readonly cursor: Cursor
}

/**
 * The filters that find an event again. They name its subscriber, too: an event that went to a topic has one record for
 * each of its subscribers under one transaction, and a page holds fifty.
 */
export const filtersFor = ({ subscriber, transactionId }: ActivityNotification): EventFilters => ({
  transactionId,
  ...(subscriber === undefined ? {} : { subscriberIds: [subscriber.subscriberId] }),
  limit: 50
})

/** A line of the timeline: a job, or one of its execution details. */
export type Line =
  | { readonly _tag: "Job"; readonly job: ActivityJob; readonly unfolded: boolean }
  | { readonly _tag: "Detail"; readonly job: ActivityJob; readonly detail: ExecutionDetail }

/** Whether the job, or an attempt of it, failed. */
export const hasFailed = (job: ActivityJob): boolean =>
  jobResult(job).kind === "failed" || job.executionDetails.some((detail) => detailKind(detail) === "failed")

/** Lines with the details of the unfolded jobs below their job. */
export const lines = (event: ActivityNotification, unfolded: ReadonlySet<string>): ReadonlyArray<Line> => {
  const all: Array<Line> = []
  for (const job of event.jobs ?? []) {
    const open = unfolded.has(job._id)
    all.push({ _tag: "Job", job, unfolded: open })
    if (open) for (const detail of inOrder(job)) all.push({ _tag: "Detail", job, detail })
  }
  return all
}

const isFailure = (line: Line): boolean =>
  line._tag === "Job" ? hasFailed(line.job) : detailKind(line.detail) === "failed"

/** The input of the screen when it is opened. */
interface Opening {
  /** How many times it is read by itself while its jobs are not done; default 0. */
  readonly following?: number
  /** The job whose failure the cursor starts on; default the first that failed. */
  readonly job?: ActivityJob | undefined
}

/** The screen of an event: failed jobs unfolded, the cursor on a failure. */
export const make = (
  id: number,
  event: ActivityNotification,
  now: number,
  { following = 0, job }: Opening = {}
): EventScreen => {
  const unfolded = new Set((event.jobs ?? []).filter(hasFailed).map(({ _id }) => _id))
  const first = lines(event, unfolded).findIndex(
    (line) => line._tag === "Detail" && isFailure(line) && (job === undefined || line.job === job)
  )
  return {
    _tag: "Event",
    id,
    event,
    asOf: now,
    loading: false,
    following,
    problem: undefined,
    unfolded,
    cursor: first === -1 ? start : { at: first, top: 0 }
  }
}

/** The lines of the screen. */
export const linesOf = (screen: EventScreen): ReadonlyArray<Line> => lines(screen.event, screen.unfolded)

/** The line under the cursor. */
export const currentLine = (screen: EventScreen): Line | undefined => linesOf(screen)[screen.cursor.at]

/** The failure of the job under the cursor, else the first of the event. */
export const failureHere = (screen: EventScreen): Failure | undefined => {
  const failures = failuresOf(screen.event)
  const job = currentLine(screen)?.job
  return failures.find(({ diagnosis }) => diagnosis.job === job) ?? failures[0]
}

/** The next failed line after (or before) the cursor, going round; `undefined` when nothing failed. */
export const nextFailure = (screen: EventScreen, step: 1 | -1): number | undefined => {
  const all = linesOf(screen)
  for (let distance = 1; distance <= all.length; distance += 1) {
    const at = (screen.cursor.at + step * distance + all.length * distance) % all.length
    const line = all[at]
    if (line !== undefined && isFailure(line)) return at
  }
  return undefined
}
