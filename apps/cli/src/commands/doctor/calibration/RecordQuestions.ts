/**
 * Questions about the wire format of events, subscribers and messages. Nothing is sent: the records of other questions
 * show the answers.
 */
import { ActivityNotification } from "@signalbox/core/internal/contract/Activity"
import { filterSources, jobTypes } from "@signalbox/core/internal/contract/KnownValues"
import { counted } from "@signalbox/operator/text/Counted"
import type * as SchemaAST from "effect/SchemaAST"
import type { Reply } from "./Deployment.ts"
import { choose, either, evidenceOf, type SomeFindings, unknown } from "./Finding.ts"
import { type Fields, fieldsOf, has, objectsIn, stringOf, stringsIn } from "./WireValues.ts"

type Test = (record: Fields) => boolean

/** Whether a record has one of some fields. */
const hasAny =
  (...names: ReadonlyArray<string>): Test =>
  (record) =>
    names.some((name) => has(record, name))

/** Whether the field of a record has no value. */
const isUnset =
  (name: string): Test =>
  (record) =>
    (record[name] ?? null) === null

/** One value if some of the records, which `what` names, pass a test, and another one if none does. */
const some = <const Yes extends string, const No extends string>(
  records: ReadonlyArray<Fields>,
  what: string,
  [yes, no]: readonly [Yes, No],
  pass: string,
  test: Test
) => {
  if (records.length === 0) return unknown(`no ${what} is listed`)
  const count = records.filter(test).length
  return either(count > 0, yes, no, `${count} of ${counted(records.length, what)} ${pass}`, records.length)
}

/** Whether a field without a value is `null` or absent. */
const nullOrAbsent = (records: ReadonlyArray<Fields>, what: string, name: string) =>
  some(records.filter(isUnset(name)), what, ["null", "absent"], `have ${name} null`, hasAny(name))

/** The paths of the fields that a schema does not have, at every depth outside of free-form records. */
const undocumentedFields = (ast: SchemaAST.AST, value: unknown): ReadonlyArray<string> => {
  if (ast._tag === "Suspend") return undocumentedFields(ast.thunk(), value)
  if (ast._tag === "Arrays") {
    const [item] = ast.rest
    if (item === undefined || !Array.isArray(value)) return []
    return value.flatMap((part) => undocumentedFields(item, part).map((path) => `[].${path}`))
  }
  if (ast._tag !== "Objects" || ast.indexSignatures.length > 0) return []
  return Object.entries(fieldsOf(value)).flatMap(([name, part]) => {
    const field = ast.propertySignatures.find((signature) => signature.name === name)
    if (field === undefined) return [name]
    return undocumentedFields(field.type, part).map((path) => `${name}${path.startsWith("[]") ? "" : "."}${path}`)
  })
}

/** Whether an event has parts in which a service can add fields: triggers and conditions. */
const hasParts: Test = ({ jobs, template }) =>
  objectsIn(fieldsOf(template)["triggers"]).length > 0 ||
  objectsIn(jobs).some(({ step }) => objectsIn(fieldsOf(step)["filters"]).length > 0)

const extraFields = (events: ReadonlyArray<Fields>) => {
  const extra = [...new Set(events.flatMap((event) => undocumentedFields(ActivityNotification.ast, event)))]
  const complete = events.filter(hasParts).length
  return choose(
    `undocumented fields in ${counted(events.length, "event")}: ${extra.join(", ") || "none"}`,
    {
      added: extra.some((path) => !path.includes(".")),
      nested: extra.length > 0,
      // Only an event with such parts shows that nothing is added to them.
      none: complete > 0
    },
    extra.length > 0 ? events.length : complete
  )
}

/** The payloads that a digest has collected. */
const digested = (job: Fields): ReadonlyArray<unknown> => {
  const { events } = fieldsOf(job["digest"])
  return Array.isArray(events) ? events : []
}

const hasFields = (value: unknown): boolean => Object.keys(fieldsOf(value)).length > 0

/** Whether an object of the caller's in an event is empty. */
const hasEmptyObject: Test = (event) =>
  [
    event["payload"],
    event["controls"],
    ...objectsIn(event["jobs"]).flatMap((job) => digested(job).concat(job["overrides"], job["payload"]))
  ].some((value) => JSON.stringify(value) === "{}")

/** Whether some records have a payload, and some have none. */
const differInPayload = (records: ReadonlyArray<Fields>): boolean =>
  records.some(({ payload }) => hasFields(payload)) && !records.every(hasAny("payload"))

const emptyObjects = (events: ReadonlyArray<Fields>, jobs: ReadonlyArray<Fields>) => {
  const isLeftOut = jobs.flatMap(digested).includes(null) || differInPayload(events) || differInPayload(jobs)
  const empty = events.filter(hasEmptyObject).length
  return choose(
    `${empty} of ${counted(events.length, "event")} have an empty object, and some have no payload`,
    { present: empty > 0, absent: isLeftOut },
    events.length
  )
}

/** How many values are not among those of the API document. */
const newer = (values: ReadonlyArray<unknown>, known: ReadonlyArray<string>): number =>
  values.filter((value) => typeof value === "string" && !known.includes(value)).length

/** Newer values are rare: only records of the kinds that have them show that there are none. */
const enumValues = (jobs: ReadonlyArray<Fields>, conditions: ReadonlyArray<Fields>) => {
  const sources = conditions.flatMap(({ children }) => objectsIn(children)).flatMap(({ on }) => on ?? [])
  const types = jobs.map(({ type }) => type)
  const count = newer(types, jobTypes) + newer(sources, filterSources)
  const custom = types.filter((type) => type === "custom").length
  return choose(
    `${count} of ${counted(jobs.length, "job")} and ${counted(sources.length, "condition")} have a newer type or source`,
    { newer: count > 0, known: custom > 0 && sources.length > 0 },
    count > 0 ? count : custom + sources.length
  )
}

const stepTemplate = (steps: ReadonlyArray<Fields>) => {
  const sizes = steps.map(({ template }) => Object.keys(fieldsOf(template)).length)
  const largest = Math.max(0, ...sizes)
  return choose(
    `the templates of ${counted(steps.length, "step")} have up to ${counted(largest, "field")}`,
    { absent: steps.length > 0 && largest === 0, stub: largest === 1, full: largest > 1 },
    largest === 0 ? steps.length : sizes.filter((size) => size > 0).length
  )
}

const sendingTypes: ReadonlySet<unknown> = new Set(["in_app", "email", "sms", "chat", "push", "trigger"])

const askEvents = (events: ReadonlyArray<Fields>) => {
  const jobs = events.flatMap((event) => objectsIn(event["jobs"]))
  const details = jobs.flatMap(({ executionDetails }) => objectsIn(executionDetails))
  const steps = jobs.filter(({ type }) => type !== "trigger").map(({ step }) => fieldsOf(step))
  const conditions = steps.flatMap(({ filters }) => objectsIn(filters))
  const delays = jobs.filter(({ type }) => type === "delay")
  const silent = jobs.filter(({ type }) => !sendingTypes.has(type))
  const hasPayload = [...events.map(({ payload }) => payload), ...jobs.flatMap(digested)].some(hasFields)
  // Without a payload of the event, its jobs have none to leave out.
  const carriers = hasPayload || jobs.some(hasAny("payload")) ? jobs : []
  const optional = hasAny("subscriber", "template", "payload", "tags", "to", "controls")
  return {
    "event.optionalFields": some(events, "event", ["present", "absent"], "have optional fields", optional),
    "response.emptyObjects": emptyObjects(events, jobs),
    "response.extraFields": extraFields(events),
    "job.triggerJobs": some(jobs, "job", ["present", "absent"], "trigger", ({ type }) => type === "trigger"),
    "job.providerId": some(
      silent,
      "silent job",
      ["only-with-provider", "always"],
      "have no providerId",
      (job) => !has(job, "providerId")
    ),
    "job.digestOfDelay": some(delays, "delay job", ["present", "absent"], "have a digest", hasAny("digest")),
    "job.payload": some(carriers, "job", ["present", "absent"], "have a payload", hasAny("payload")),
    "enum.values": enumValues(jobs, conditions),
    "detail.raw": nullOrAbsent(details, "execution detail without raw data", "raw"),
    "step.template": stepTemplate(steps),
    "step.filters": some(
      conditions,
      "condition",
      ["partial", "complete"],
      "have no isNegated or type",
      (condition) => !has(condition, "isNegated") || !has(condition, "type")
    )
  } satisfies SomeFindings
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

const askSubscriber = (subscriber: Fields, events: ReadonlyArray<Fields>) => {
  const unset = optionalSubscriberFields.filter((name) => isUnset(name)(subscriber))
  const topics = stringsIn(subscriber["topics"]).length
  const isInTopic = events.some(
    (event) => event["_subscriberId"] === subscriber["_id"] && objectsIn(event["topics"]).length > 0
  )
  return {
    "subscriber.unset": some(
      unset.map((name) => ({ name })),
      "field without a value",
      ["null", "absent"],
      "are null",
      ({ name }) => has(subscriber, stringOf(name))
    ),
    "subscriber.topics": choose(
      `topics has ${counted(topics, "entry", "entries")}`,
      // Only events for a topic show that the subscriber belongs to one.
      { absent: !has(subscriber, "topics"), filled: topics > 0, empty: isInTopic },
      Math.max(1, topics)
    ),
    "subscriber.extraFields": some([subscriber], "subscriber", ["id", "none"], "have an id next to _id", hasAny("id"))
  } satisfies SomeFindings
}

const askMessages = (messages: ReadonlyArray<Fields>) => {
  const embedded = hasAny("subscriber", "template", "contextKeys")
  const idle = messages.filter(({ cta }) => !has(fieldsOf(cta), "type") && !has(fieldsOf(cta), "data"))
  return {
    "message.embedded": some(messages, "message", ["present", "absent"], "include other records", embedded),
    "message.cta": some(
      idle,
      "message without a call to action",
      ["absent", "present"],
      "have no cta",
      (message) => !has(message, "cta")
    ),
    "message.feedId": nullOrAbsent(messages, "message without a feed", "_feedId"),
    "message.noContent": nullOrAbsent(messages, "message without content", "content")
  } satisfies SomeFindings
}

/** Records of a deployment. */
export interface Records {
  readonly events: ReadonlyArray<Fields>
  /** The subscriber of the calibration, if a response showed it. */
  readonly subscriber: Fields | undefined
  readonly messages: ReadonlyArray<Fields>
  /** A write that was accepted, if one was. */
  readonly write: Reply | undefined
}

/** Reads the answers from records. */
export const askRecords = ({ events, messages, subscriber, write }: Records) => {
  const time = stringOf((subscriber ?? events[0])?.["createdAt"])
  return {
    "time.format": choose(`createdAt is ${time || "absent"}`, {
      offset: time !== "" && !time.endsWith("Z"),
      milliseconds: /\.\d/u.test(time),
      seconds: time !== ""
    }),
    ...(write === undefined
      ? {}
      : { envelope: either(Object.keys(fieldsOf(write.body)).join() === "data", "data", "bare", evidenceOf(write)) }),
    ...(events.length === 0 ? {} : askEvents(events)),
    ...(subscriber === undefined ? {} : askSubscriber(subscriber, events)),
    ...(messages.length === 0 ? {} : askMessages(messages))
  } satisfies SomeFindings
}
