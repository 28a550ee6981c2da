/**
 * From a job that failed, warned, waits or was skipped to its cause and the next step, by rules over its execution details.
 * A failure that no rule recognises says so and quotes the service.
 */
import type { ActivityJob, ActivityNotification, ExecutionDetail } from "@signalbox/core/Activity"
import type { KnownChannelProviderId } from "@signalbox/core/Provider"
import { eventResult, inOrder, jobResult } from "../status/Status.ts"
import { type Evidence, gather } from "./Evidence.ts"
import { failureRules } from "./FailureRules.ts"
import type { CredentialField, CredentialsRole, FailureRule, Rule } from "./Rule.ts"
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

/** Why a job has its result. */
export interface Diagnosis {
  /** Name of the rule; `not-recognised` when none knows it. */
  readonly rule: string
  readonly job: ActivityJob
  /** The execution detail that it rests on. */
  readonly detail?: ExecutionDetail
  /** A few words for a column or a group, for failures: `slack webhook missing`. */
  readonly title?: string
  /** One or two plain sentences. */
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
  elsewhere: "Credentials of the subscriber are not the cause; changing them does not help.",
  unknown: "It is unknown whether credentials of the subscriber are the cause."
}

const notRecognised: FailureRule = {
  id: "not-recognised",
  title: ({ detail, providerMessage }) => providerMessage ?? detail?.detail ?? "no reason given",
  credentials: "unknown",
  matches: () => true,
  cause: ({ detail, providerMessage, status }) =>
    detail === undefined
      ? "The service reports the job as failed without an execution detail that says why."
      : `Not recognised. The service says "${detail.detail}" (source ${detail.source})${
          status === undefined ? "" : `, the provider responded with ${status}`
        }${providerMessage === undefined ? "." : `: "${providerMessage}"`}`,
  advice: ({ detail }) =>
    detail?.raw == null || detail.raw === ""
      ? "Search the logs of the service or of the provider for the transaction id."
      : "Read the raw response of the execution detail."
}

/** The rules that can be the cause of a failure. */
export const causeNames: ReadonlyArray<string> = [...failureRules, notRecognised].map(({ id }) => id)

const fieldsFor = (rule: Rule, { job, channelProvider }: Evidence): ReadonlyArray<CredentialField> => {
  if (rule.fields !== undefined) {
    return channelProvider === "mattermost" && rule.fields.includes("webhookUrl")
      ? ["webhookUrl", "channel"]
      : rule.fields
  }
  if (job.type === "push") return ["deviceTokens"]
  return job.type === "chat" ? ["webhookUrl"] : []
}

const make = (event: ActivityNotification, rule: Rule | FailureRule, evidence: Evidence): Diagnosis => {
  const { job, detail, provider, channelProvider } = evidence
  const subscriberId = event.subscriber?.subscriberId
  return {
    rule: rule.id,
    job,
    ...(detail === undefined ? {} : { detail }),
    ...("title" in rule ? { title: rule.title(evidence) } : {}),
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
  // The last detail decides, unless it only sums up what an earlier one of its status says better.
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
 * Explains a job of an event, or the job that decided the event's result; `undefined` where there is nothing to explain.
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
