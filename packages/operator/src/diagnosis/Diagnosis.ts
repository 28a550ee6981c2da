/**
 * From a job that failed, warned, waits or was left out to its cause and the next step, by rules over what the
 * execution details say. What no rule knows is said to be unknown, with the words of the service.
 */
import type { ActivityJob, ActivityNotification, ExecutionDetail } from "@signalbox/core/Activity"
import type { KnownChannelProviderId } from "@signalbox/core/Provider"
import { eventResult, inOrder, jobResult } from "../status/Status.ts"
import { type Evidence, gather } from "./Evidence.ts"
import { failureRules } from "./FailureRules.ts"
import type { CredentialField, CredentialsRole, Rule } from "./Rule.ts"
import { stateRules } from "./StateRules.ts"

/** What to fill into the credentials form before it opens. */
export interface Prefill {
  /** External id of the subscriber; absent when the event does not carry it. */
  readonly subscriberId?: string
  /** Absent when the service does not say which provider it is about. */
  readonly providerId?: KnownChannelProviderId
  /** The fields to fill in. */
  readonly fields: ReadonlyArray<CredentialField>
}

/** Why a job came out as it did. */
export interface Diagnosis {
  /** Name of the rule; `not-recognised` when none knows it. */
  readonly rule: string
  readonly job: ActivityJob
  /** The execution detail that it rests on. */
  readonly detail?: ExecutionDetail
  /** In plain words. */
  readonly cause: string
  readonly advice: string
  readonly credentials: CredentialsRole
  /** One sentence: whether credentials of the subscriber are the cause. */
  readonly credentialsNote: string
  /** Provider that the job used, as the service names it. */
  readonly providerId?: string
  /** Only where credentials are the cause. */
  readonly prefill?: Prefill
}

const notes: Readonly<Record<CredentialsRole, string>> = {
  cause: "Credentials of the subscriber are the cause.",
  elsewhere: "Credentials of the subscriber are not the cause: changing them does not help.",
  unknown: "Whether credentials of the subscriber are the cause cannot be told."
}

const notRecognised: Rule = {
  id: "not-recognised",
  credentials: "unknown",
  matches: () => true,
  cause: ({ detail, said, status }) =>
    detail === undefined
      ? "The service calls the job failed and gives no execution detail that says why."
      : `Not recognised. The service says "${detail.detail}" (source ${detail.source})${
          status === undefined ? "" : `, the provider answered ${status}`
        }${said === undefined ? "." : `: "${said}"`}`,
  advice: ({ detail }) =>
    detail?.raw == null || detail.raw === ""
      ? "Look the step up in the log of the service, or of the provider, by the transaction id."
      : "Read the raw answer of the execution detail."
}

const fieldsFor = (rule: Rule, { job, channelProvider }: Evidence): ReadonlyArray<CredentialField> => {
  if (rule.fields !== undefined) {
    return channelProvider === "mattermost" && rule.fields.includes("webhookUrl")
      ? ["webhookUrl", "channel"]
      : rule.fields
  }
  if (job.type === "push") return ["deviceTokens"]
  return job.type === "chat" ? ["webhookUrl"] : []
}

const make = (event: ActivityNotification, rule: Rule, evidence: Evidence): Diagnosis => {
  const { job, detail, provider, channelProvider } = evidence
  const subscriberId = event.subscriber?.subscriberId
  return {
    rule: rule.id,
    job,
    ...(detail === undefined ? {} : { detail }),
    cause: rule.cause(evidence),
    advice: rule.advice(evidence),
    credentials: rule.credentials,
    credentialsNote: notes[rule.credentials],
    ...(provider === undefined ? {} : { providerId: provider }),
    ...(rule.credentials === "cause"
      ? {
          prefill: {
            ...(subscriberId === undefined ? {} : { subscriberId }),
            ...(channelProvider === undefined ? {} : { providerId: channelProvider }),
            fields: fieldsFor(rule, evidence)
          }
        }
      : {})
  }
}

const explainFailure = (
  event: ActivityNotification,
  job: ActivityJob,
  decidedBy: ExecutionDetail | undefined
): Diagnosis => {
  if (decidedBy === undefined) return make(event, notRecognised, gather(job, undefined))
  // The last word counts, unless it only sums up what an earlier one of its kind says better.
  const others = inOrder(job)
    .filter((detail) => detail !== decidedBy && detail.status === decidedBy.status)
    .toReversed()
  let fallback: Diagnosis | undefined
  for (const detail of [decidedBy, ...others]) {
    const evidence = gather(job, detail)
    const rule = failureRules.find(({ matches }) => matches(evidence))
    if (rule !== undefined && rule.summary !== true) return make(event, rule, evidence)
    fallback ??= make(event, rule ?? notRecognised, evidence)
  }
  return fallback ?? make(event, notRecognised, gather(job, decidedBy))
}

const explainState = (
  event: ActivityNotification,
  job: ActivityJob,
  decidedBy: ExecutionDetail | undefined
): Diagnosis => {
  const evidence = gather(job, decidedBy)
  return make(event, stateRules.find(({ matches }) => matches(evidence)) ?? notRecognised, evidence)
}

/**
 * Explains a job of an event, or without one the job that decided the event's result; `undefined` where there is nothing
 * to explain.
 *
 * @example
 * ```ts
 * const diagnosis = diagnose(event)
 * // diagnosis.rule => "webhook-url-missing"
 * // diagnosis.prefill => { subscriberId: "u_31870", providerId: "slack", fields: ["webhookUrl"] }
 * ```
 */
export const diagnose = (event: ActivityNotification, job = eventResult(event).job): Diagnosis | undefined => {
  if (job === undefined) return undefined
  const { kind, decidedBy } = jobResult(job)
  switch (kind) {
    case "failed":
    case "warning":
      return explainFailure(event, job, decidedBy)
    case "waiting":
    case "queued":
    case "skipped":
      return explainState(event, job, decidedBy)
    case "ok":
    case "unknown":
      return undefined
  }
}
