/**
 * Two events side by side: their common facts, and their differences.
 */
import { isSecretName } from "@signalbox/core/Redaction"
import { type ActivityJob, type ActivityNotification, inOrder } from "@signalbox/core/Records"
import { eventResult, jobResult } from "@signalbox/operator/status/Status"
import { duration } from "@signalbox/operator/text/Moment"
import { utc } from "@signalbox/operator/text/Zone"
import { stepName } from "../../view/Result.ts"

/** One fact of both events; a heading has neither side. */
export interface Compared {
  readonly label: string
  readonly left?: string
  readonly right?: string
  readonly differs: boolean
}

type Facts = ReadonlyMap<string, string>

/** More than this of a payload is not looked at. */
const mostFacts = 2_000

const eventFacts = (event: ActivityNotification): Facts =>
  new Map([
    ["result", eventResult(event).word],
    ["workflow", event.template?.name ?? "(workflow deleted)"],
    ["subscriber", event.subscriber?.subscriberId ?? "(deleted)"],
    ["email", event.subscriber?.email ?? "none"],
    ["phone", event.subscriber?.phone ?? "none"],
    ["severity", event.severity ?? "none"],
    ["tags", (event.tags ?? []).join(", ")],
    ["topics", (event.topics ?? []).map(({ topicKey }) => topicKey).join(", ")]
  ])

const lengthOf = (job: ActivityJob): string => {
  const times = job.executionDetails
    .map(({ createdAt }) => Date.parse(createdAt ?? ""))
    .filter((at) => !Number.isNaN(at))
  return times.length < 2 ? "" : duration(Math.max(...times) - Math.min(...times))
}

const stepFacts = (event: ActivityNotification): Facts => {
  const facts = new Map<string, string>()
  for (const [index, job] of (event.jobs ?? []).entries()) {
    const name = `${index + 1} ${stepName(job)}`
    facts.set(name, `${jobResult(job).word} ${job.providerId ?? ""}`.trim())
    for (const [at, { detail, status }] of inOrder(job).entries()) {
      facts.set(`${name}, detail ${at + 1}`, `${status}: ${detail}`)
    }
  }
  return facts
}

/** When and how long: facts that always differ, so that they are no difference. */
const timeFacts = (event: ActivityNotification): Facts =>
  new Map([
    [
      "time",
      event.createdAt === undefined
        ? ""
        : `${utc.date(Date.parse(event.createdAt))} ${utc.preciseClock(Date.parse(event.createdAt))}Z`
    ],
    ["transaction", event.transactionId],
    ...(event.jobs ?? []).map((job, index): [string, string] => [`${index + 1} ${stepName(job)} took`, lengthOf(job)])
  ])

const leaves = (value: unknown, path: string, into: Map<string, string>): void => {
  if (into.size >= mostFacts) return
  if (typeof value !== "object" || value === null || Object.keys(value).length === 0) {
    into.set(path, JSON.stringify(value) ?? "undefined")
    return
  }
  for (const [key, inner] of Object.entries(value)) {
    leaves(
      isSecretName(key) ? "<redacted>" : inner,
      Array.isArray(value) ? `${path}[${key}]` : path === "" ? key : `${path}.${key}`,
      into
    )
  }
}

const payloadFacts = ({ payload }: ActivityNotification): Facts => {
  const facts = new Map<string, string>()
  if (payload !== undefined && Object.keys(payload).length > 0) leaves(payload, "", facts)
  return facts
}

const section = (title: string, left: Facts, right: Facts, differ = true): ReadonlyArray<Compared> => {
  const labels = Array.from(new Set([...left.keys(), ...right.keys()])).filter(
    (label) => (left.get(label) ?? "(absent)") !== "" || (right.get(label) ?? "(absent)") !== ""
  )
  if (labels.length === 0) return []
  return [
    { label: title, differs: false },
    ...labels.map((label) => {
      const [a, b] = [left.get(label) ?? "(absent)", right.get(label) ?? "(absent)"]
      return { label, left: a, right: b, differs: differ && a !== b }
    })
  ]
}

/** The facts of two events, section by section. */
export const compare = (left: ActivityNotification, right: ActivityNotification): ReadonlyArray<Compared> => [
  ...section("EVENT", eventFacts(left), eventFacts(right)),
  ...section("STEPS AND DETAILS", stepFacts(left), stepFacts(right)),
  ...section("PAYLOAD", payloadFacts(left), payloadFacts(right)),
  ...section("TIME", timeFacts(left), timeFacts(right), false)
]
