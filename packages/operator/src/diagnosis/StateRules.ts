/**
 * The rules for jobs that did not fail and have sent nothing yet: skipped, merged or waiting.
 */
import type { Evidence } from "./Evidence.ts"
import { type Rule, mentions } from "./Rule.ts"

const collected = ({ job }: Evidence): string => {
  const { digest } = job
  if (digest === undefined) return ""
  const period = digest.amount === undefined || digest.unit === undefined ? "" : ` for ${digest.amount} ${digest.unit}`
  const count = digest.events?.length ?? 0
  return `${period}${count === 0 ? "" : `; it contains ${count === 1 ? "1 event" : `${count} events`} so far`}`
}

/** The rules, in order; the last one always matches. */
export const stateRules: ReadonlyArray<Rule> = [
  {
    id: "retrying",
    credentials: "unknown",
    matches: ({ detail }) => detail?.status === "Failed",
    cause: ({ detail }) => `It failed ("${detail?.detail ?? ""}") and the service is trying again.`,
    advice: () => "Wait for the retry."
  },
  {
    id: "merged",
    credentials: "elsewhere",
    matches: ({ job }) => job.status === "merged",
    cause: () => "The event was merged into an open digest and is sent together with the others.",
    advice: () => "Open the event that it was merged into: its steps send the message."
  },
  {
    id: "throttled",
    credentials: "elsewhere",
    matches: (evidence) =>
      (evidence.job.type === "throttle" && evidence.job.status === "skipped") || mentions(/throttl/u)(evidence),
    cause: () => "The workflow ran more often for this subscriber than its throttle allows, so this event was skipped.",
    advice: () => "Nothing to fix: later events pass once the throttle window is over."
  },
  {
    id: "subscriber-preference",
    credentials: "elsewhere",
    matches: mentions(/preference|unsubscribed|opted[- ]out|muted/u),
    cause: ({ job }) =>
      `The subscriber has switched ${job.type.replaceAll("_", "-")} off for this workflow in their preferences.`,
    advice: () => "Nothing to fix: the subscriber chose this. A critical workflow ignores preferences."
  },
  {
    id: "step-conditions",
    credentials: "elsewhere",
    matches: (evidence) => evidence.job.status === "skipped" || mentions(/filter|condition|skipped/u)(evidence),
    cause: ({ job }) =>
      job.step.filters.length > 0
        ? "The conditions of the step were not met, so it was skipped."
        : "The step was skipped.",
    advice: () => "Compare payload and subscriber with the conditions of the step if the message was expected."
  },
  {
    id: "canceled",
    credentials: "elsewhere",
    matches: ({ job }) => /^cancell?ed$/u.test(job.status),
    cause: () => "The step was canceled before it ran: by a cancel request, or because a step before it failed.",
    advice: () => "Look at the steps before this one; trigger the event again if the message is still wanted."
  },
  {
    id: "digest-open",
    credentials: "elsewhere",
    matches: ({ job }) => job.type === "digest",
    cause: (evidence) => `The digest is still collecting events${collected(evidence)}.`,
    advice: () => "Nothing to do: the steps after it run when the digest closes."
  },
  {
    id: "delayed",
    credentials: "elsewhere",
    matches: ({ job }) => job.type === "delay" || job.type === "throttle" || job.status === "delayed",
    cause: ({ job }) =>
      job.scheduleExtensionsCount === undefined || job.scheduleExtensionsCount === 0
        ? "The step waits for its time."
        : `The step waits for its time; it was postponed ${job.scheduleExtensionsCount} times to fit the schedule of the subscriber.`,
    advice: () => "Nothing to do: the steps after it run when the wait is over."
  },
  {
    id: "queued",
    credentials: "elsewhere",
    matches: () => true,
    cause: () => "The step has not run yet.",
    advice: () => "Read the event again in a moment."
  }
]
