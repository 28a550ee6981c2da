/**
 * The causes of jobs that did not fail and have sent nothing yet: skipped, merged or waiting.
 */
import { type Evidence, parsed, quotable } from "./Evidence.ts"
import { messageCreated } from "./Catalogue.ts"
import { type Rule, mentions } from "./Rule.ts"

const collected = ({ job }: Evidence): string => {
  const { digest } = job
  if (digest === undefined) return ""
  const period = digest.amount === undefined || digest.unit === undefined ? "" : ` for ${digest.amount} ${digest.unit}`
  const count = digest.events?.length ?? 0
  return `${period}${count === 0 ? "" : `; it contains ${count === 1 ? "1 event" : `${count} events`} so far`}`
}

/** How many conditions a sentence names. */
const conditionLimit = 3

/** A condition as the service reports it in the raw text of a skipped step. */
interface ReportedCondition {
  readonly filter?: unknown
  readonly field?: unknown
  readonly operator?: unknown
  readonly expected?: unknown
  readonly passed?: unknown
}

interface ConditionReport {
  readonly filter?: { readonly conditions?: ReadonlyArray<ReportedCondition | null> } | null
}

const words = (...parts: ReadonlyArray<unknown>): ReadonlyArray<string> =>
  parts.filter((part) => typeof part === "string").filter((part) => part !== "")

/**
 * The conditions that were not met, as the service reports them in the raw text. Without the actual values, which belong to
 * the subscriber or the payload.
 */
const unmetConditions = ({ detail }: Evidence): ReadonlyArray<string> => {
  // Nothing but the service's own version guarantees this form: each part is checked where it is used.
  const report = parsed(detail?.raw?.slice(0, 8000) ?? "") as ConditionReport | null | undefined
  const conditions = report?.filter?.conditions
  return (Array.isArray(conditions) ? conditions : [])
    .filter((condition) => condition?.passed === false)
    .slice(0, conditionLimit)
    .map((condition) =>
      words(
        words(condition?.filter, condition?.field).join(".").toLowerCase(),
        words(condition?.operator).join("").toLowerCase().replaceAll("_", " "),
        condition?.expected === undefined ? "" : JSON.stringify(condition.expected).slice(0, 80)
      ).join(" ")
    )
}

const skippedByConditions = (evidence: Evidence): string => {
  const unmet = unmetConditions(evidence)
  if (unmet.length > 0) return `The step was skipped, because its conditions were not met: ${unmet.join("; ")}.`
  return evidence.job.step.filters.length > 0 || evidence.detail !== undefined
    ? "The conditions of the step were not met, so it was skipped."
    : "The step was skipped."
}

/** A template and what it was rendered with, as the service reports them when it creates a message. */
interface RenderedTemplate {
  readonly subject?: unknown
  readonly content?: unknown
  readonly payload?: unknown
}

/** Only templates of this length are read. */
const templateLimit = 20_000

/** Variables that the service itself provides, and words of templates. */
const provided: ReadonlySet<string> = new Set([
  "actor",
  "branding",
  "context",
  "else",
  "env",
  "payload",
  "step",
  "steps",
  "subscriber",
  "tenant",
  "this",
  "workflow"
])

const simpleVariable = /\{\{\{?\s*(?<root>[a-z_]\w*)(?:\.\w+)*\s*\}?\}\}/giu

/**
 * The variables of a sent message that its payload lacks. The service renders them as empty. It names none for
 * templates with loops, whose variables have another scope, nor of variables with a filter, which may have a default.
 */
const missingVariables = ({ detail }: Evidence): ReadonlyArray<string> => {
  const raw = detail?.raw ?? ""
  // Each part is checked where it is used.
  const rendered = (raw.length > templateLimit ? undefined : parsed(raw)) as RenderedTemplate | null | undefined
  if (typeof rendered?.payload !== "object" || rendered.payload === null) return []
  const template = words(rendered.subject, rendered.content).join("\n")
  if (/\{\{#(?:each|with)|\{%/u.test(template)) return []
  const known = new Set(Object.keys(rendered.payload))
  const roots = Array.from(template.matchAll(simpleVariable), ({ groups }) => groups?.["root"] ?? "")
  return Array.from(new Set(roots)).filter((root) => !known.has(root) && !provided.has(root))
}

/** The causes, in the order in which their patterns are tried; the last one always matches. */
export const stateRules: ReadonlyArray<Rule> = [
  {
    id: "variables-missing",
    owner: "workflow",
    matches: (evidence) => evidence.detail?.detail === messageCreated && missingVariables(evidence).length > 0,
    cause: (evidence) =>
      `The message was sent with empty places: the payload lacks ${missingVariables(evidence).join(", ")}.`,
    advice: () => "Add the values to the payload of the trigger, or remove the variables from the template."
  },
  {
    id: "retrying",
    credentials: "unknown",
    matches: ({ detail }) => detail?.status === "Failed",
    cause: ({ detail }) => `It failed ("${quotable(detail?.detail ?? "")}") and the service is trying again.`,
    advice: () => "Wait for the retry."
  },
  {
    id: "condition-webhook-retry",
    owner: "endpoint",
    cause: () =>
      "Your webhook for the conditions of the step failed to respond as expected, and the service calls it again.",
    advice: () => "Wait for the retry; if it fails again, look at the logs of your webhook."
  },
  {
    id: "previous-step-failed",
    cause: () => "The step was canceled because a step before it failed.",
    advice: () => "Fix the step that failed; this one needs no change."
  },
  {
    id: "first-of-digest",
    owner: "nothing-wrong",
    cause: () => "The event is the first one of a digest with look-back, which sends it at once.",
    advice: () => "Nothing to do: later events in the window are collected."
  },
  {
    id: "merged",
    owner: "nothing-wrong",
    matches: ({ job }) => job.status === "merged",
    cause: () => "The event was merged into an open digest and is sent together with the others.",
    advice: () => "Open the event that it was merged into: its steps send the message."
  },
  {
    id: "throttled",
    owner: "nothing-wrong",
    matches: (evidence) =>
      (evidence.job.type === "throttle" && evidence.job.status === "skipped") || mentions(/throttl/u)(evidence),
    cause: () => "The workflow ran more often for this subscriber than its throttle allows, so this event was skipped.",
    advice: () => "Nothing to fix: later events pass once the throttle window is over."
  },
  {
    id: "workflow-preference",
    owner: "workflow",
    cause: ({ job }) => `The settings of the workflow switch ${job.type.replaceAll("_", "-")} off.`,
    advice: () => "Switch the channel on in the preferences of the workflow if the message was expected."
  },
  {
    id: "subscriber-schedule",
    owner: "nothing-wrong",
    cause: () => "The subscriber's schedule excludes the time of this step, so it was skipped.",
    advice: () => "Nothing to fix: the subscriber chose this. A critical workflow ignores schedules."
  },
  {
    id: "subscriber-preference",
    owner: "nothing-wrong",
    matches: mentions(/preference|unsubscribed|opted[- ]out|muted/u),
    cause: ({ job }) =>
      `The subscriber has switched ${job.type.replaceAll("_", "-")} off for this workflow in their preferences.`,
    advice: () => "Nothing to fix: the subscriber chose this. A critical workflow ignores preferences."
  },
  {
    id: "step-conditions",
    owner: "nothing-wrong",
    matches: (evidence) => evidence.job.status === "skipped" || mentions(/filter|condition|skipped/u)(evidence),
    cause: skippedByConditions,
    advice: () => "Compare payload and subscriber with the conditions of the step if the message was expected."
  },
  {
    id: "canceled",
    owner: "nothing-wrong",
    matches: ({ job }) => /^cancell?ed$/u.test(job.status),
    cause: () => "The step was canceled before it ran: by a cancel request, or because a step before it failed.",
    advice: () => "Look at the steps before this one; trigger the event again if the message is still wanted."
  },
  {
    id: "snoozed",
    owner: "nothing-wrong",
    cause: () => "The subscriber snoozed the message; it was delivered before.",
    advice: () => "Nothing to do: the message returns at the time that the subscriber chose."
  },
  {
    id: "digest-open",
    owner: "nothing-wrong",
    matches: ({ job }) => job.type === "digest",
    cause: (evidence) => `The digest is still collecting events${collected(evidence)}.`,
    advice: () => "Nothing to do: the steps after it run when the digest closes."
  },
  {
    id: "delayed",
    owner: "nothing-wrong",
    matches: ({ job }) => job.type === "delay" || job.type === "throttle" || job.status === "delayed",
    cause: ({ job }) =>
      job.scheduleExtensionsCount === undefined || job.scheduleExtensionsCount === 0
        ? "The step waits for its time."
        : `The step waits for its time; it was postponed ${job.scheduleExtensionsCount} times to fit the schedule of the subscriber.`,
    advice: () => "Nothing to do: the steps after it run when the wait is over."
  },
  {
    id: "queued",
    owner: "nothing-wrong",
    matches: () => true,
    cause: () => "The step has not run yet.",
    advice: () => "Read the event again in a moment."
  }
]
