/**
 * Questions about the wire format of events, subscribers and messages. Nothing is sent: the records of other questions
 * show the answers.
 */
import { jobTypes } from "@signalbox/core/internal/contract/Channel"
import { ActivityNotification } from "@signalbox/core/internal/contract/Activity"
import { filterSources } from "@signalbox/core/internal/contract/StepFilter"
import { counted } from "@signalbox/operator/text/Counted"
import type * as SchemaAST from "effect/SchemaAST"
import type { Reply } from "./Deployment.ts"
import { allUnknown, either, evidenceOf, type Findings, settled, unknown } from "./Finding.ts"
import { type Fields, fieldsOf, has, objectsIn, stringOf, stringsIn } from "./WireValues.ts"

const isOneOf = (values: ReadonlyArray<string>, value: unknown): boolean => values.some((each) => each === value)

const fractions = /\.\d/u

const askTimes = (time: string): Findings<"time.format"> => {
  const format = () => {
    const evidence = `createdAt is ${time}`
    if (time === "") return unknown("no record with createdAt")
    if (!time.endsWith("Z")) return settled("offset", evidence)
    return either(fractions.test(time), "milliseconds", "seconds", evidence)
  }
  return { "time.format": format() }
}

const askEnvelope = (write: Reply | undefined): Findings<"envelope"> => ({
  envelope:
    write === undefined
      ? unknown("no write was accepted")
      : either(Object.keys(fieldsOf(write.body)).join() === "data", "data", "bare", evidenceOf(write))
})

/** The paths of the fields that a schema does not have, at every depth outside of free-form records. */
const undocumentedFields = (ast: SchemaAST.AST, value: unknown): ReadonlyArray<string> => {
  if (ast._tag === "Suspend") return undocumentedFields(ast.thunk(), value)
  if (ast._tag === "Arrays") {
    const [item] = ast.rest
    return item === undefined
      ? []
      : (Array.isArray(value) ? value : []).flatMap((part) =>
          undocumentedFields(item, part).map((path) => `[].${path}`)
        )
  }
  if (ast._tag !== "Objects" || ast.indexSignatures.length > 0) return []
  return Object.entries(fieldsOf(value)).flatMap(([name, part]) => {
    const field = ast.propertySignatures.find((signature) => signature.name === name)
    if (field === undefined) return [name]
    return undocumentedFields(field.type, part).map((path) => `${name}${path.startsWith("[]") ? "" : "."}${path}`)
  })
}

const optionalEventFields = ["subscriber", "template", "payload", "tags", "to", "controls"]

/** The payloads that a digest has collected. */
const digested = (job: Fields): ReadonlyArray<unknown> => {
  const { events } = fieldsOf(job["digest"])
  return Array.isArray(events) ? events : []
}

/** The objects of the caller's in an event, which can be empty. */
const freeForm = (event: Fields): ReadonlyArray<unknown> => [
  event["payload"],
  event["controls"],
  ...objectsIn(event["jobs"]).flatMap((job) => digested(job).concat(job["overrides"], job["payload"]))
]

const isEmpty = (value: unknown): boolean => JSON.stringify(value) === "{}"

const hasFields = (value: unknown): boolean => Object.keys(fieldsOf(value)).length > 0

/** Whether some records have a payload, and some have none. */
const differInPayload = (records: ReadonlyArray<Fields>): boolean =>
  records.some(({ payload }) => hasFields(payload)) && records.some((record) => !has(record, "payload"))

const askEmptyObjects = (events: ReadonlyArray<Fields>): Findings<"response.emptyObjects"> => {
  const among = counted(events.length, "event")
  const jobs = events.flatMap((event) => objectsIn(event["jobs"]))
  const empty = events.filter((event) => freeForm(event).some(isEmpty)).length
  const finding = () => {
    if (empty > 0) return settled("present", `${empty} of ${among} have an empty object`, events.length)
    return jobs.flatMap(digested).includes(null) || differInPayload(events) || differInPayload(jobs)
      ? settled("absent", `none of ${among} has an empty object, and some have no payload`, events.length)
      : unknown("no event without a payload is listed next to one with a payload")
  }
  return { "response.emptyObjects": finding() }
}

/** Whether an event has parts in which a service can add fields: triggers and conditions. */
const hasParts = ({ jobs, template }: Fields): boolean =>
  objectsIn(fieldsOf(template)["triggers"]).length > 0 ||
  objectsIn(jobs).some(({ step }) => objectsIn(fieldsOf(step)["filters"]).length > 0)

const askEvents = (
  events: ReadonlyArray<Fields>
): Findings<"event.optionalFields" | "response.emptyObjects" | "response.extraFields"> => {
  if (events.length === 0) {
    return allUnknown(["event.optionalFields", "response.emptyObjects", "response.extraFields"], "no event is listed")
  }
  const among = counted(events.length, "event")
  const optional = optionalEventFields.filter((name) => events.some((event) => has(event, name)))
  const extra = [...new Set(events.flatMap((event) => undocumentedFields(ActivityNotification.ast, event)))]
  const extraFields = () => {
    const evidence = `undocumented fields in ${among}: ${extra.length === 0 ? "none" : extra.join(", ")}`
    if (extra.length === 0) {
      const complete = events.filter(hasParts).length
      return complete === 0
        ? unknown("no event with its triggers or a condition is listed")
        : settled("none", evidence, complete)
    }
    return settled(extra.some((path) => !path.includes(".")) ? "added" : "nested", evidence, events.length)
  }
  return {
    "event.optionalFields": either(
      optional.length > 0,
      "present",
      "absent",
      `optional fields in ${among}: ${optional.length === 0 ? "none" : optional.join(", ")}`,
      events.length
    ),
    ...askEmptyObjects(events),
    "response.extraFields": extraFields()
  }
}

/** The sources that the conditions of a step refer to. */
const conditionSources = (step: unknown): ReadonlyArray<unknown> =>
  objectsIn(fieldsOf(step)["filters"])
    .flatMap(({ children }) => objectsIn(children))
    .flatMap(({ on }) => (on === undefined ? [] : [on]))

const sendingTypes = ["in_app", "email", "sms", "chat", "push", "trigger"]

const askJobs = (
  jobs: ReadonlyArray<Fields>,
  hasPayloads: boolean
): Findings<"job.triggerJobs" | "job.providerId" | "job.digestOfDelay" | "job.payload" | "enum.values"> => {
  if (jobs.length === 0) {
    return allUnknown(
      ["job.triggerJobs", "job.providerId", "job.digestOfDelay", "job.payload", "enum.values"],
      "no job is listed"
    )
  }
  const among = counted(jobs.length, "job")
  const ofType = (type: string) => jobs.filter((job) => job["type"] === type)
  const delays = ofType("delay")
  const silent = jobs.filter(({ type }) => !isOneOf(sendingTypes, type))
  const withoutProvider = silent.filter((job) => !has(job, "providerId")).length
  const payloads = jobs.filter((job) => has(job, "payload")).length
  const sources = jobs.flatMap(({ step }) => conditionSources(step))
  const newerJobs = jobs.filter(({ type }) => !isOneOf(jobTypes, type)).length
  const newerSources = sources.filter((source) => !isOneOf(filterSources, source)).length
  // Newer values are rare: only records of the kinds that have them show that there are none.
  const custom = ofType("custom").length
  const values = () => {
    const evidence = `${newerJobs} of ${among} have a newer type, ${newerSources} of ${counted(sources.length, "condition")} a newer source`
    if (newerJobs + newerSources > 0) return settled("newer", evidence, newerJobs + newerSources)
    return custom > 0 && sources.length > 0
      ? settled("known", evidence, custom + sources.length)
      : unknown(`${evidence}; needs a custom job and a condition`)
  }
  const withDigest = delays.filter((job) => has(job, "digest")).length
  return {
    "job.triggerJobs": either(
      ofType("trigger").length > 0,
      "present",
      "absent",
      `${ofType("trigger").length} of ${among} are of type trigger`,
      jobs.length
    ),
    "job.providerId":
      silent.length === 0
        ? unknown("no job of type digest, delay, throttle or custom is listed")
        : either(
            withoutProvider > 0,
            "only-with-provider",
            "always",
            `${withoutProvider} of ${counted(silent.length, "job")} that send nothing have no providerId`,
            silent.length
          ),
    "job.digestOfDelay":
      delays.length === 0
        ? unknown("no delay job is listed")
        : either(
            withDigest > 0,
            "present",
            "absent",
            `${withDigest} of ${counted(delays.length, "delay job")} have digest`,
            delays.length
          ),
    "job.payload":
      payloads === 0 && !hasPayloads
        ? unknown("no event with a payload is listed")
        : either(payloads > 0, "present", "absent", `${payloads} of ${among} have a payload`, jobs.length),
    "enum.values": values()
  }
}

const askDetails = (details: ReadonlyArray<Fields>): Findings<"detail.raw"> => {
  const nulls = details.filter(({ raw }) => raw === null).length
  const absent = details.filter((detail) => !has(detail, "raw")).length
  return {
    "detail.raw":
      nulls + absent === 0
        ? unknown("no execution detail without raw data is listed")
        : either(nulls > 0, "null", "absent", `raw is null in ${nulls} details, absent in ${absent}`, nulls + absent)
  }
}

const askSteps = (steps: ReadonlyArray<Fields>): Findings<"step.template" | "step.filters"> => {
  const sizes = steps.map(({ template }) => Object.keys(fieldsOf(template)).length)
  const largest = Math.max(0, ...sizes)
  const conditions = steps.flatMap(({ filters }) => objectsIn(filters))
  const partial = conditions.filter((condition) => !has(condition, "isNegated") || !has(condition, "type")).length
  const evidence = `a template has up to ${counted(largest, "field")}`
  const template = () => {
    if (steps.length === 0) return unknown("no step is listed")
    if (largest === 0) return settled("absent", "no step has a template", steps.length)
    return either(largest === 1, "stub", "full", evidence, sizes.filter((size) => size > 0).length)
  }
  return {
    "step.template": template(),
    "step.filters":
      conditions.length === 0
        ? unknown("no step with conditions is listed")
        : either(
            partial > 0,
            "partial",
            "complete",
            `${partial} of ${counted(conditions.length, "condition")} have no isNegated or type`,
            conditions.length
          )
  }
}

const optionalSubscriberFields = [
  "firstName",
  "lastName",
  "email",
  "phone",
  "avatar",
  "locale",
  "timezone",
  "data",
  "lastOnlineAt"
]

const askSubscriber = (
  subscriber: Fields | undefined,
  events: ReadonlyArray<Fields>
): Findings<"subscriber.unset" | "subscriber.topics" | "subscriber.extraFields"> => {
  if (subscriber === undefined) {
    return allUnknown(
      ["subscriber.unset", "subscriber.topics", "subscriber.extraFields"],
      "no response shows a subscriber"
    )
  }
  const nulls = optionalSubscriberFields.filter((name) => subscriber[name] === null)
  const absent = optionalSubscriberFields.filter((name) => !has(subscriber, name))
  const inTopics = events.some(
    (event) => event["_subscriberId"] === subscriber["_id"] && objectsIn(event["topics"]).length > 0
  )
  const topics = () => {
    if (!has(subscriber, "topics")) return settled("absent", "the subscriber has no topics field")
    const count = stringsIn(subscriber["topics"]).length
    if (count > 0) return settled("filled", `topics has ${counted(count, "entry", "entries")}`, count)
    return inTopics
      ? settled("empty", "topics is empty, and events reached the subscriber through a topic")
      : unknown("the subscriber may belong to no topic")
  }
  return {
    "subscriber.unset":
      nulls.length + absent.length === 0
        ? unknown("every optional field of the subscriber has a value")
        : either(
            nulls.length > 0,
            "null",
            "absent",
            `null: ${nulls.length} fields, absent: ${absent.length} fields`,
            nulls.length + absent.length
          ),
    "subscriber.topics": topics(),
    "subscriber.extraFields": either(
      has(subscriber, "id"),
      "id",
      "none",
      `the subscriber has ${has(subscriber, "id") ? "an" : "no"} id next to _id`
    )
  }
}

const askMessages = (
  messages: ReadonlyArray<Fields>,
  noMessage: string
): Findings<"message.embedded" | "message.cta" | "message.feedId" | "message.noContent"> => {
  if (messages.length === 0) {
    return allUnknown(["message.embedded", "message.cta", "message.feedId", "message.noContent"], noMessage)
  }
  const among = counted(messages.length, "message")
  const count = (test: (message: Fields) => boolean) => messages.filter(test).length
  const embedded = count((message) => ["subscriber", "template", "contextKeys"].some((name) => has(message, name)))
  const emptyCta = count(({ cta }) => cta !== undefined && !has(fieldsOf(cta), "type") && !has(fieldsOf(cta), "data"))
  const noCta = count((message) => !has(message, "cta"))
  const nullFeed = count(({ _feedId }) => _feedId === null)
  const noFeed = count((message) => !has(message, "_feedId"))
  const nullContent = count(({ content }) => content === null)
  const noContent = count((message) => !has(message, "content"))
  return {
    "message.embedded": either(
      embedded > 0,
      "present",
      "absent",
      `${embedded} of ${among} include their subscriber, workflow or context keys`,
      messages.length
    ),
    "message.cta":
      emptyCta + noCta === 0
        ? unknown("every message has a call to action")
        : either(
            noCta > 0,
            "absent",
            "present",
            `cta leads nowhere in ${emptyCta} of ${among}, absent in ${noCta}`,
            emptyCta + noCta
          ),
    "message.feedId":
      nullFeed + noFeed === 0
        ? unknown("every message has a feed")
        : either(
            nullFeed > 0,
            "null",
            "absent",
            `_feedId is null in ${nullFeed} of ${among}, absent in ${noFeed}`,
            nullFeed + noFeed
          ),
    "message.noContent":
      nullContent + noContent === 0
        ? unknown("every message has content")
        : either(
            nullContent > 0,
            "null",
            "absent",
            `content is null in ${nullContent} of ${among}, absent in ${noContent}`,
            nullContent + noContent
          )
  }
}

/** Records of a deployment. */
export interface Records {
  readonly events: ReadonlyArray<Fields>
  /** The subscriber of the calibration, if a response showed it. */
  readonly subscriber: Fields | undefined
  readonly messages: ReadonlyArray<Fields>
  /** Why there are no messages, if there are none. */
  readonly noMessage: string
  /** A write that was accepted, if one was. */
  readonly write: Reply | undefined
}

/** Reads the answers from records. */
export const askRecords = ({ events, messages, noMessage, subscriber, write }: Records) => {
  const jobs = events.flatMap((event) => objectsIn(event["jobs"]))
  const steps = jobs.filter(({ type }) => type !== "trigger").map(({ step }) => fieldsOf(step))
  const [first] = [...(subscriber === undefined ? [] : [subscriber]), ...events]
  return {
    ...askEnvelope(write),
    ...askTimes(stringOf(first?.["createdAt"])),
    ...askEvents(events),
    ...askJobs(jobs, events.some(({ payload }) => hasFields(payload)) || jobs.flatMap(digested).some(hasFields)),
    ...askDetails(jobs.flatMap(({ executionDetails }) => objectsIn(executionDetails))),
    ...askSteps(steps),
    ...askSubscriber(subscriber, events),
    ...askMessages(messages, noMessage)
  }
}
