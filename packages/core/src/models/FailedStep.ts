/**
 * Which steps of an event failed. The SDK, the command line, the terminal UI and `@signalbox/operator` use this definition.
 */
import type { ActivityJob, ActivityNotification, ExecutionDetail } from "./Interfaces.ts"

/**
 * The execution details that give the reason for a skipped step, which the service writes with any status, also `Failed`;
 * with the diagnosis of `@signalbox/operator`, and their writer as in its catalogue. @internal
 */
export const skips = [
  { text: "Step was skipped based on steps conditions", cause: "step-conditions" },
  { text: "Bridge execution skipped", cause: "step-conditions" },
  { text: "Step was filtered based on step conditions", cause: "step-conditions", writer: "earlier versions" },
  { text: "Step was canceled because a previous step failed", cause: "previous-step-failed" },
  { text: "Step filtered by subscriber workflow preferences", cause: "subscriber-preference" },
  { text: "Step filtered by subscriber global preferences", cause: "subscriber-preference" },
  { text: "Step filtered by workflow preferences", cause: "workflow-preference" },
  { text: "Step filtered by user preferences", cause: "workflow-preference" },
  { text: "The step was skipped as it fell outside the subscriber's schedule", cause: "subscriber-schedule" },
  { text: "Throttle limit exceeded for the given window", cause: "throttled" },
  {
    text: "Step was throttled due to rate limiting",
    cause: "throttled",
    writer: "earlier versions or other parts of the service"
  },
  { text: "Digest was merged with other digest", cause: "merged" },
  { text: "Digest was skipped, first backoff event", cause: "first-of-digest" }
] as const

/** For a channel, or for the integration of one entry of the subscriber. @internal */
export const noActiveIntegration = "Subscriber does not have an active integration"

/**
 * The form in which the wordings of execution details are compared. No text of the service is as long as the limit; a hostile
 * one can be a megabyte. @internal
 */
export const comparableText = (text: string): string =>
  text.slice(0, 1000).trim().replaceAll(/\s+/gu, " ").toLowerCase()

const skipTexts: ReadonlySet<string> = /* @__PURE__ */ new Set(
  /* @__PURE__ */ skips.map(({ text }) => comparableText(text))
)

/** The failure that the service writes with the status of progress. */
const webhookConditionFailed = /* @__PURE__ */ comparableText(
  "Failed to get response from remote webhook filter on last retry"
)

/** Whether a detail gives the reason for a skipped step. @internal */
export const isSkip = (detail: ExecutionDetail): boolean => skipTexts.has(comparableText(detail.detail))

/** Whether a detail reports that work is waiting or under way. @internal */
export const isProgress = ({ status }: ExecutionDetail): boolean => status === "Pending" || status === "Queued"

const isSuccess = ({ status }: ExecutionDetail): boolean => status === "Success" || status === "ReadConfirmation"

/** Whether a detail reports a failure, which a later attempt may have made good. @internal */
export const isFailure = (detail: ExecutionDetail): boolean =>
  detail.status === "Failed"
    ? !isSkip(detail)
    : isProgress(detail) && comparableText(detail.detail) === webhookConditionFailed

/** The execution details of a job, oldest first; if any lacks a valid time, in the order of the service. @internal */
export const inOrder = ({ executionDetails }: ActivityJob): ReadonlyArray<ExecutionDetail> => {
  const timed = executionDetails.map((detail, place) => ({ detail, place, at: Date.parse(detail.createdAt ?? "") }))
  return timed.some(({ at }) => Number.isNaN(at))
    ? executionDetails
    : timed.sort((a, b) => a.at - b.at || a.place - b.place).map(({ detail }) => detail)
}

/**
 * Whether a later retry recovered from the failure or warning at `place`.
 *
 * A success that is not marked as a retry does not count: if a chat step fails for one provider and succeeds for another, it
 * still needs attention for the first.
 */
const isRecovered = (details: ReadonlyArray<ExecutionDetail>, place: number): boolean => {
  const retry = details.findIndex(({ isRetry }, later) => later > place && isRetry)
  return retry !== -1 && details.slice(retry).some(isSuccess)
}

/** Each chat step of a subscriber with a phone number tries WhatsApp, even in environments without it. */
const isPhoneAttempt = ({ type }: ActivityJob, { detail, raw }: ExecutionDetail): boolean =>
  type === "chat" && detail === noActiveIntegration && raw?.includes("integrationId") !== true

/** The state of a step, derived from the execution details of its job. @internal */
export interface StepState {
  /** Whether it failed. */
  readonly isFailed: boolean
  /** Whether a retry is under way. */
  readonly isRetrying: boolean
  /** The failures that no retry recovered from, oldest first; a step that was sent in another way has them too. */
  readonly failures: ReadonlyArray<ExecutionDetail>
  /** The last warning that no retry recovered from. */
  readonly warning: ExecutionDetail | undefined
  /** The last reason for skipping it. */
  readonly skip: ExecutionDetail | undefined
  /** The last success or progress. */
  readonly last: ExecutionDetail | undefined
}

/**
 * Returns the state of a step. Its job's own status is free text: it confirms that the step was sent, and reports a failure
 * where the details are inconclusive. @internal
 */
export const stepState = (job: ActivityJob): StepState => {
  const details = inOrder(job)
  // A chat step sends to every channel of the subscriber.
  const isSent = job.status === "completed" && details.some(isSuccess)
  const isOpen = (detail: ExecutionDetail, place: number): boolean =>
    !isRecovered(details, place) && !(isSent && isPhoneAttempt(job, detail))
  const failures = details.filter((detail, place) => isFailure(detail) && isOpen(detail, place))
  const warning = details.findLast(({ status }, place) => status === "Warning" && !isRecovered(details, place))
  const skip = details.findLast(isSkip)
  const last = details.findLast((detail) => isSuccess(detail) || isProgress(detail))
  const newest = details.at(-1)
  const isRetrying = newest !== undefined && newest.isRetry && isProgress(newest)
  const isFailed =
    failures.length > 0
      ? !isRetrying && !isSent
      : job.status === "failed" && skip?.status !== "Failed" && !warning && !(last && isSuccess(last))
  return { failures, isFailed, isRetrying, last, skip, warning }
}

/** A step of an event that failed. */
export interface Failure {
  /** The job of the step. */
  readonly job: ActivityJob
  /** The execution detail that reports the failure; absent if only the job's status does. */
  readonly detail?: ExecutionDetail
}

/**
 * The failures of an event: the execution details that report one, each with its job. Skipped steps have none, and neither
 * have steps that a later attempt delivered or that are being retried. `status:failed` of the command line selects the
 * events that have a failure.
 *
 * @example
 * ```ts
 * import { type ActivityNotification, failures } from "@signalbox/core/Records"
 *
 * const linesOf = (event: ActivityNotification) =>
 *   failures(event).map(({ detail, job }) => `${job.type}: ${detail?.detail ?? job.status}`)
 * ```
 */
export const failures = ({ jobs = [] }: ActivityNotification): ReadonlyArray<Failure> =>
  jobs.flatMap((job): ReadonlyArray<Failure> => {
    const { failures: details, isFailed: failed } = stepState(job)
    if (!failed) return []
    return details.length === 0 ? [{ job }] : details.map((detail) => ({ job, detail }))
  })

/** Whether a step of an event failed; see {@link failures}. */
export const isFailed = ({ jobs = [] }: ActivityNotification): boolean => jobs.some((job) => stepState(job).isFailed)
