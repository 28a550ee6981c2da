/**
 * From a job that failed, warned, waits or was skipped to its cause, its owner and the next step: by the catalogue of the
 * wordings of execution details, and by patterns for what is not in it. A failure that is not recognised says so and quotes
 * the service.
 */
import {
  type ActivityJob,
  type ActivityNotification,
  type ExecutionDetail,
  inOrder,
  type KnownChannelProviderId
} from "@signalbox/core/Records"
import { eventResult, jobResult } from "../status/Status.ts"
import { messageCreated, rowOf } from "./Catalogue.ts"
import { type Evidence, gather, quotable } from "./Evidence.ts"
import { adviceIfSent, failureRules, triedPhone } from "./FailureRules.ts"
import { ownRuleFor } from "./OwnRule.ts"
import { mailCause } from "./Refusal.ts"
import { type Owner, ownerNotes } from "./Owner.ts"
import type { CredentialField, CredentialsRole, FailureRule, Rule } from "./Rule.ts"
import { stateRules } from "./StateRules.ts"

/** Values for the credentials form when it opens. */
export interface Prefill {
  /** External id of the subscriber; absent when the event does not carry it. */
  readonly subscriberId?: string
  /** Absent when the service does not say which provider it is about. */
  readonly providerId?: KnownChannelProviderId
  /** The integration whose credentials are the cause; absent where the service does not name it. */
  readonly integrationIdentifier?: string
  /** The fields to fill in. */
  readonly fields: ReadonlyArray<CredentialField>
}

/** Why a job has its result. */
export interface Diagnosis {
  /** Name of the rule; `not-recognised` when none knows it. */
  readonly rule: string
  /** Whether a rule names the reason; otherwise the title quotes the service or the provider. */
  readonly isRecognised: boolean
  readonly job: ActivityJob
  /** The execution detail that it rests on. */
  readonly detail?: ExecutionDetail
  /** A few words for a column or a group, for failures: `slack webhook missing`. */
  readonly title?: string
  /** One or two plain sentences. */
  readonly cause: string
  readonly advice: string
  /** Who can fix it; `nothing-wrong` for a step that waits or was skipped on purpose. */
  readonly owner: Owner
  /** The same in a few words: `the provider`. */
  readonly ownerNote: string
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
  owner: "unknown",
  // One word of a provider is a code. The words of the service say what it is about.
  title: ({ detail, providerMessage }) =>
    providerMessage?.includes(" ") === true
      ? providerMessage
      : [quotable(detail?.detail ?? ""), providerMessage ?? ""].filter((part) => part !== "").join(": ") ||
        "no reason given",
  credentials: "unknown",
  matches: () => true,
  cause: ({ detail, providerMessage, status }) =>
    detail === undefined
      ? "The service reports the job as failed without an execution detail that says why."
      : `Not recognised. The service says "${quotable(detail.detail)}" (source ${detail.source})${
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

const isWeak = (rule: Rule): boolean => rule.weak === true || rule === notRecognised

const make = (
  event: ActivityNotification,
  rule: Rule | FailureRule,
  evidence: Evidence,
  owner: Owner = rule.owner ?? "unknown"
): Diagnosis => {
  const { job, detail, provider, channelProvider, integration } = evidence
  const subscriberId = event.subscriber?.subscriberId
  const credentials = rule.credentials ?? "elsewhere"
  return {
    rule: rule.id,
    isRecognised: !isWeak(rule),
    job,
    ...(detail === undefined ? {} : { detail }),
    ...("title" in rule ? { title: rule.title(evidence) } : {}),
    cause: rule.cause(evidence),
    advice: evidence.isSent ? adviceIfSent(rule.advice(evidence)) : rule.advice(evidence),
    owner,
    ownerNote: ownerNotes[owner],
    credentials,
    credentialsNote: notes[credentials],
    ...(provider === undefined ? {} : { providerId: provider }),
    ...(credentials === "cause"
      ? {
          prefill: {
            ...(subscriberId === undefined ? {} : { subscriberId }),
            ...(channelProvider === undefined ? {} : { providerId: channelProvider }),
            ...(integration === undefined ? {} : { integrationIdentifier: integration }),
            fields: fieldsFor(rule, evidence)
          }
        }
      : {})
  }
}

/** The first of the rules that matches; the catalogue names them for its wordings, the patterns decide for all others. */
const ruleFor = <R extends Rule>(
  rules: ReadonlyArray<R>,
  ids: ReadonlyArray<string>,
  evidence: Evidence
): R | undefined =>
  ids
    .map((id) => rules.find((rule) => rule.id === id))
    .find((rule, at) => rule !== undefined && (at === ids.length - 1 || rule.matches?.(evidence) === true))

const byPattern = <R extends Rule>(rules: ReadonlyArray<R>, evidence: Evidence): R | undefined =>
  rules.find(({ matches }) => matches?.(evidence) === true)

const failureRuleFor = (evidence: Evidence): FailureRule => {
  const own = ownRuleFor(evidence)
  if (own !== undefined) return own
  const causes = rowOf(evidence.detail?.detail ?? "")?.causes ?? "raw"
  const mail = causes === "raw" ? mailCause(evidence) : undefined
  const ids = mail === undefined ? causes : [mail]
  const rule = ids === "raw" ? byPattern(failureRules, evidence) : ruleFor(failureRules, ids, evidence)
  return rule ?? notRecognised
}

/**
 * The details that can explain a failure, the best first: those of the decisive status, the last one first, then the causes
 * that the service writes with another status. Summaries only where there is nothing else.
 */
const explaining = (job: ActivityJob, decidedBy: ExecutionDetail | undefined): ReadonlyArray<ExecutionDetail> => {
  const newestFirst = inOrder(job).toReversed()
  const kindOf = ({ detail }: ExecutionDetail) => rowOf(detail)?.kind
  const failed = newestFirst.filter(({ status }) => status === "Failed" || status === decidedBy?.status)
  const candidates = [
    ...failed.filter((detail) => kindOf(detail) !== "summary" && kindOf(detail) !== "skipped"),
    ...newestFirst.filter((detail) => !failed.includes(detail) && kindOf(detail) === "cause")
  ]
  return candidates.length > 0 ? candidates : failed.slice(0, 1)
}

const explainFailure = (
  event: ActivityNotification,
  job: ActivityJob,
  decidedBy: ExecutionDetail | undefined
): Diagnosis => {
  const details = explaining(job, decidedBy)
  const explanations = (details.length === 0 ? [undefined] : details).map((detail) => {
    const evidence = gather(job, detail)
    return { evidence, rule: failureRuleFor(evidence) }
  })
  // An attempt by phone is the reason only where the subscriber has no entry for another provider.
  const others = explanations.filter(({ evidence }) => !triedPhone(evidence))
  const candidates = others.length > 0 ? others : explanations
  const best = candidates.find(({ rule }) => !isWeak(rule)) ?? candidates[0]
  return best === undefined ? make(event, notRecognised, gather(job, decidedBy)) : make(event, best.rule, best.evidence)
}

/** The explanation of the first step that failed: the steps after it wait for its fix. */
const explainFailedStep = (event: ActivityNotification): Diagnosis | undefined => {
  const failed = event.jobs?.find((job) => jobResult(job).kind === "failed")
  return failed === undefined ? undefined : explainFailure(event, failed, jobResult(failed).decidedBy)
}

const explainState = (
  event: ActivityNotification,
  job: ActivityJob,
  kind: "skipped" | "waiting",
  decidedBy: ExecutionDetail | undefined
): Diagnosis => {
  const evidence = gather(job, decidedBy)
  const row = rowOf(decidedBy?.detail ?? "")
  const named = row?.kind === kind && Array.isArray(row.causes) ? ruleFor(stateRules, row.causes, evidence) : undefined
  const rule = named ?? byPattern(stateRules, evidence) ?? notRecognised
  if (rule.owner !== undefined) return make(event, rule, evidence)
  // A retry has the owner of the failure that it repeats, a canceled step that of the step that failed before it.
  if (kind === "waiting") return make(event, rule, evidence, explainFailure(event, job, decidedBy).owner)
  const origin = explainFailedStep(event)
  const diagnosis = make(event, rule, evidence, origin?.owner)
  return origin === undefined
    ? diagnosis
    : { ...diagnosis, cause: `${diagnosis.cause} ${origin.job.step.name ?? origin.job.type}: ${origin.cause}` }
}

/** A step that went well has something to explain only if it sent less than its template has. */
const explainSent = (event: ActivityNotification, job: ActivityJob): Diagnosis | undefined => {
  const created = job.executionDetails.find(({ detail }) => detail === messageCreated)
  if (created === undefined) return undefined
  const evidence = gather(job, created)
  const rule = stateRules.find(({ id, matches }) => id === "variables-missing" && matches?.(evidence) === true)
  return rule === undefined ? undefined : make(event, rule, evidence)
}

/**
 * Explains a job of an event, or the job that decided the event's result; `undefined` where there is nothing to explain.
 *
 * @example
 * ```ts
 * const diagnosis = diagnose(event)
 * // diagnosis.rule => "webhook-url-missing"
 * // diagnosis.owner => "subscriber"
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
    case "skipped":
      return explainState(event, job, "skipped", decidedBy)
    case "waiting":
    case "queued":
      return explainState(event, job, "waiting", decidedBy)
    case "ok":
      return explainSent(event, job)
    case "unknown":
      return undefined
  }
}
