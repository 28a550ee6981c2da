/**
 * The schemas of what the control API returns, by action. The server loads them only for the OpenAPI document.
 */
import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import { formNames } from "../faults/FaultForms.ts"
import { faultPoints } from "../faults/FaultInjector.ts"
import { otherFields } from "../faults/FaultSchema.ts"
import { recordKinds } from "../generate/EditRecords.ts"
import { OperationNameSchema } from "../input/RouteNames.ts"
import { points } from "../journal/JournalEntry.ts"
import { SnapshotSchema } from "../state/Snapshot.ts"
import { switchNames, switchRow } from "../switches/Switches.ts"
import { recordSchemas, StepSchema } from "../state/RecordInput.ts"
import { expectationNames } from "../verdicts/Expectations.ts"

const optional = Schema.optionalKey
const text = Schema.String
const flag = Schema.Boolean
const count = Schema.Int
const list = Schema.Array
const strings = list(text)
const object = Schema.Record(text, Schema.Unknown)
const operation = OperationNameSchema
const surface = Schema.Literals(["fetch", "layer", "server"])
const isoTime = text.annotate({ description: "ISO 8601" })
const millis = Schema.Finite.annotate({ description: "Milliseconds since 1970" })

const input = recordSchemas(millis)

/** The schema of a stored record: that of its input, the fields that it always has, and those that only the fake sets. */
const stored = <Fields extends Schema.Struct.Fields>(
  identifier: string,
  { fields }: { readonly fields: Fields },
  always: ReadonlyArray<string & keyof Fields>,
  others: Schema.Struct.Fields = {}
): Schema.Top => {
  const required = Struct.map(Struct.pick(fields, always), Schema.requiredKey)
  return Schema.Struct({ ...fields, ...required, ...others }).annotate({ identifier })
}

const step = stored("StepRecord", StepSchema, ["id", "templateId", "name", "active", "stopOnFail", "filters"])

const channel = Schema.Struct({
  providerId: text,
  integrationId: text,
  integrationIdentifier: text,
  credentials: object
})

const recordsOfKind = {
  subscribers: stored(
    "SubscriberRecord",
    input.subscribers,
    ["id", "topics", "isOnline", "version", "deleted", "createdAt", "updatedAt"],
    // A switch lets the fake store values of other types.
    { channels: list(channel) }
  ),
  integrations: stored("IntegrationRecord", input.integrations, [
    "id",
    "identifier",
    "name",
    "channel",
    "active",
    "createdAt"
  ]),
  workflows: stored(
    "WorkflowRecord",
    input.workflows,
    ["id", "name", "description", "active", "critical", "tags", "origin", "variables", "createdAt"],
    { steps: list(step) }
  ),
  messages: stored(
    "MessageRecord",
    input.messages,
    ["id", "eventId", "channel", "createdAt", "read", "seen", "transactionId", "status"],
    { sequence: count }
  ),
  events: stored(
    "EventRecord",
    input.events.mapFields(Struct.omit(["workflow"])),
    [
      "id",
      "createdAt",
      "workflowId",
      "transactionId",
      "channels",
      "critical",
      "tags",
      "topics",
      "contextKeys",
      "payload"
    ],
    { sequence: count, seed: optional(Schema.Finite) }
  )
}

const records = Struct.map(recordsOfKind, Schema.Array)

const outcome = Schema.Union([
  Schema.TaggedStruct("Pending", {}),
  Schema.TaggedStruct("Response", { status: count }),
  Schema.TaggedStruct("CutResponse", { status: count, failure: text }),
  Schema.TaggedStruct("NoResponse", { failure: text }),
  Schema.TaggedStruct("ClientDisconnected", {})
]).annotate({ identifier: "RequestOutcome" })

const journalEntry = Schema.Struct({
  number: count.annotate({ description: "1 for the first request of the environment" }),
  surface,
  at: millis,
  method: text,
  path: text,
  query: text,
  operation: optional(operation),
  subscriberId: optional(text),
  idempotencyKey: optional(text),
  headers: Schema.Record(text, text),
  body: optional(Schema.Unknown),
  call: count,
  attempt: count,
  retryOf: optional(count),
  points: list(Schema.Struct({ point: Schema.Literals(points), at: millis })),
  applied: flag,
  appends: flag,
  replayed: flag,
  faults: strings,
  outcome,
  endedAt: optional(millis),
  statusLine: optional(text),
  responseHeaders: Schema.Record(text, text),
  responseBody: optional(Schema.Unknown),
  faultEffect: optional(text),
  errorMessage: optional(text),
  leaks: list(Schema.Struct({ kind: Schema.Literals(["subscriber", "message"]), id: text, environment: count }))
}).annotate({ identifier: "JournalEntry" })

const fault = Schema.Struct({
  form: Schema.StructWithRest(Schema.Struct({ _tag: Schema.Literals(formNames) }), [object]),
  point: Schema.Literals(faultPoints),
  ...otherFields
}).annotate({ identifier: "Fault" })

const armedFault = Schema.Struct({
  number: count.annotate({ description: "For DELETE /_fake/faults/{number}" }),
  fired: count,
  fault
}).annotate({ identifier: "ArmedFault" })

const verdict = Schema.Struct({
  call: count,
  operation,
  subscriberId: optional(text),
  idempotencyKey: optional(text),
  attempts: list(journalEntry),
  applied: count,
  outcome: Schema.Literals(["success", "failure", "unknown", "pending"]),
  contradiction: optional(text)
}).annotate({ identifier: "Verdict" })

const switches = Schema.Struct(
  Object.fromEntries(switchNames.map((name) => [name, Schema.Literals(switchRow(name).values)]))
).annotate({ identifier: "Switches" })

const environment = Schema.Struct({
  apiKey: text,
  name: optional(text),
  number: count,
  now: isoTime,
  requests: count,
  faults: count
})

const unmatched = Schema.Struct({
  number: count,
  surface,
  at: millis,
  method: text,
  path: text,
  operation: optional(operation),
  key: Schema.Literals(["missing", "malformed", "unknown"]),
  status: count
})

const covered = { operation, requests: count }

const coverage = Schema.Struct({
  operations: list(Schema.Struct(covered)),
  parameters: list(Schema.Struct({ ...covered, parameter: text })),
  statuses: list(
    Schema.Struct({
      ...covered,
      status: count,
      provenance: Schema.Literals(["documented", "observed", "invented", "fault"])
    })
  ),
  switches: list(Schema.Struct({ switch: Schema.Literals(switchNames), isExercised: flag })),
  faults: list(Schema.Struct({ fault: text, requests: count })),
  text
})

const nothing = Schema.Struct({})

export const controlResults: Readonly<Record<string, Schema.Top>> = {
  "POST /_fake/environments": Schema.Struct({ apiKey: text, number: count }),
  "GET /_fake/environments": list(environment),
  "DELETE /_fake/environments": nothing,
  "POST /_fake/seed": Schema.Struct(records),
  "POST /_fake/trigger": Schema.Struct({ id: text, transactionId: text }),
  "POST /_fake/routes": Schema.Struct({ name: text }),
  "POST /_fake/faults": armedFault,
  "GET /_fake/faults": list(armedFault),
  "DELETE /_fake/faults": Schema.Struct({ neverFired: strings }),
  "DELETE /_fake/faults/{number}": Schema.Struct({ fired: count }),
  "POST /_fake/clock": Schema.Struct({ now: isoTime, ran: optional(flag) }),
  "GET /_fake/clock": Schema.Struct({ now: isoTime, isManual: flag }),
  "GET /_fake/state": Schema.Struct({ ...records, keysInFlight: strings }),
  "GET /_fake/switches": switches,
  "POST /_fake/switches": switches,
  "POST /_fake/rate-limit": nothing,
  "DELETE /_fake/rate-limit": nothing,
  ...Object.fromEntries(
    recordKinds.flatMap((kind) => [
      [`PATCH /_fake/${kind}/{id}`, recordsOfKind[kind]],
      [`DELETE /_fake/${kind}/{id}`, nothing]
    ])
  ),
  "GET /_fake/snapshot": SnapshotSchema,
  "POST /_fake/restore": Schema.Struct({ now: isoTime }),
  "POST /_fake/down": Schema.Struct({ url: text }),
  "POST /_fake/up": nothing,
  "GET /_fake/token": Schema.Struct({ token: text }),
  "GET /_fake/coverage": coverage,
  "GET /_fake/timeline": Schema.Struct({ timeline: text }),
  "POST /_fake/expect": Schema.Struct({
    met: flag,
    issues: list(Schema.Struct({ name: Schema.Literals(expectationNames), issue: text, message: text }))
  }),
  "POST /_fake/wait": Schema.Struct({ met: flag, issue: optional(text), message: optional(text) }),
  "GET /_fake/journal": Schema.Struct({
    capacity: count,
    evicted: count,
    entries: list(journalEntry),
    unmatchedRequests: count
  }),
  "GET /_fake/test-source": Schema.Struct({ source: text }),
  "GET /_fake/stored": list(Schema.Struct({ field: text, sent: text, stored: text, isEqual: flag })),
  "GET /_fake/switches/questions": list(
    Schema.Struct({ name: text, question: text, values: strings, value: text, document: text, observed: text })
  ),
  "GET /_fake/unmatched-requests": Schema.Struct({ count, entries: list(unmatched) }),
  "GET /_fake/verdicts": list(verdict),
  "POST /_fake/reset": nothing
}
