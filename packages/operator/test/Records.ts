/**
 * Records as the service returns them, with the fields that a test needs.
 */
import type { ActivityJob, ActivityNotification, ExecutionDetail } from "@signalbox/core/Records"

/** A failed execution detail, unless the fields say otherwise. */
export const detailOf = (detail: string, given: Partial<ExecutionDetail> = {}): ExecutionDetail => ({
  _id: "detail",
  status: "Failed",
  detail,
  isRetry: false,
  isTest: false,
  source: "Internal",
  ...given
})

/** A failed job, unless the fields say otherwise. */
export const jobOf = (
  type: string,
  executionDetails: ReadonlyArray<ExecutionDetail>,
  given: Partial<ActivityJob> = {}
): ActivityJob => ({
  _id: "job",
  type,
  status: "failed",
  executionDetails,
  step: { _id: "", active: true, filters: [], _templateId: "" },
  ...given
})

/** A chat job that failed because of the subscriber's credentials. */
export const slackJob = (
  detail = "Webhook URL for the chat channel is missing",
  given: Partial<ExecutionDetail> = {}
): ActivityJob => jobOf("chat", [detailOf(detail, { source: "Credentials", ...given })], { providerId: "slack" })

export const eventOf = (
  jobs: ReadonlyArray<ActivityJob>,
  given: Partial<ActivityNotification> = {}
): ActivityNotification => ({
  _environmentId: "environment",
  _organizationId: "organization",
  _subscriberId: "internal",
  transactionId: "transaction",
  jobs,
  ...given
})
