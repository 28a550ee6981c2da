/** Programs that are played on every surface: the requests, the failures, and the passing of time. */
import * as Schema from "effect/Schema"
import { Fault, type Preset, type Switches } from "../../src/index.ts"

/** A request before it is known which fake it goes to. */
export interface Asked {
  readonly method: string
  readonly path: string
  readonly body?: string
  readonly contentType?: string
  readonly apiKey?: "wrong" | "none"
}

/** Id of the nth message of a program. */
export const messageId = (number: number) => String(number).padStart(24, "a")

const upsert = (body: unknown): Asked => ({
  method: "PATCH",
  path: "/v1/subscribers/ana/credentials",
  body: JSON.stringify(body)
})

const mark = (body: unknown, subscriberId = "ana"): Asked => ({
  method: "POST",
  path: `/v1/subscribers/${subscriberId}/messages/mark-as`,
  body: JSON.stringify(body)
})

const list = (query = ""): Asked => ({ method: "GET", path: `/v1/notifications${query}` })

/** The requests that a program can make. */
export const requests = [
  list(),
  list("?limit=1"),
  list("?limit=51"),
  list("?page=x&channels=email&channels=sms"),
  list("?subscriberIds=ana&search=%F0%9F%93%A8%20%C3%BC"),
  upsert({ providerId: "fcm", credentials: { deviceTokens: ["a"] } }),
  upsert({ providerId: "fcm", credentials: { deviceTokens: ["b", "ü", "📨"] }, integrationIdentifier: "fcm-main" }),
  upsert({ credentials: { deviceTokens: ["a"] }, providerId: "fcm" }),
  upsert({ providerId: "telepathy", credentials: {} }),
  { ...upsert({}), body: "{not json" },
  { ...upsert({ providerId: "fcm", credentials: { deviceTokens: ["c"] } }), contentType: "text/plain" },
  mark({ messageId: messageId(1), markAs: "read" }),
  mark({ messageId: [messageId(2), messageId(1), messageId(2)], markAs: "seen" }),
  mark({ messageId: messageId(9), markAs: "unread" }),
  mark({ messageId: messageId(1), markAs: "burnt" }),
  mark({ messageId: messageId(1), markAs: "unseen" }, "b%C3%B6 %2F x"),
  { method: "GET", path: "/v1/notification" },
  { method: "DELETE", path: "/v1/notifications" },
  { ...list(), apiKey: "wrong" },
  { ...list(), apiKey: "none" }
] as const satisfies ReadonlyArray<Asked>

const points = ["received", "validated", "committed", "answering"] as const

const forms: ReadonlyArray<(target: Fault.Target) => Fault.Fault> = [
  ...points.flatMap((at): ReadonlyArray<(target: Fault.Target) => Fault.Fault> => [
    (target) => Fault.latency(200, { ...target, at }),
    (target) => Fault.latency({ distribution: "uniform", fromMs: 1, toMs: 90 }, { ...target, at }),
    (target) => Fault.status(503, { ...target, at }),
    (target) => Fault.status(418, { ...target, at, body: { ü: [1] }, headers: { "X-Fault": "1" } }),
    (target) => Fault.rateLimited({ retryAfterMs: 2_000, as: "http-date", ...target, at }),
    (target) => Fault.html(502, { ...target, at }),
    (target) => Fault.reset({ ...target, at }),
    (target) => Fault.close({ ...target, at }),
    (target) => Fault.hang({ ...target, at }),
    (target) => Fault.garbage({ ...target, at })
  ]),
  ...(["reset", "close", "hang", "garbage"] as const).map(
    (failure) => (target: Fault.Target) => Fault.cutBody({ ...target, at: "answering", afterBytes: 3, failure })
  ),
  (target) => Fault.slowBody({ ...target, at: "answering", bytes: 400, everyMs: 50 }),
  (target) => Fault.malformedJson({ ...target, at: "answering" }),
  (target) => Fault.contentType("text/html", { ...target, at: "answering" }),
  ...(["unknown-enum-value", "unknown-field", "missing-field", "null"] as const).map(
    (kind) => (target: Fault.Target) => Fault.drift({ ...target, at: "answering", kind })
  )
]

const targets: ReadonlyArray<Fault.Target> = [
  {},
  { operation: "credentials.upsert" },
  { operation: "messages.markAs" },
  { attempt: 2 },
  { key: "k1" },
  { times: "always", attempt: 1 },
  { probability: 0.5 }
]

/** The presets that a program can be played under. */
export const presets: ReadonlyArray<Preset> = [
  "document",
  "observed",
  "adversarial",
  ...[1, 2, 3, 4, 5, 6, 7, 8].map((seed): Preset => `seeded(${seed})`)
]

const below = (count: number) => Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: count - 1 }))

const Ask = Schema.Struct({ request: below(requests.length), key: Schema.optionalKey(Schema.Literals(["k1", "k2"])) })

const Step = Schema.Union([
  /** Several requests are under way together; time passes when all of them have arrived. */
  Schema.TaggedStruct("Ask", {
    together: Schema.NonEmptyArray(Ask).check(Schema.isMinLength(2), Schema.isMaxLength(4))
  }),
  Schema.TaggedStruct("Arm", { form: below(forms.length), target: below(targets.length) }),
  Schema.TaggedStruct("Wait", { millis: Schema.Literals([1, 60_000, 86_400_000]) })
])

/** A program. */
export const Program = Schema.Struct({
  seed: below(1_000),
  preset: below(presets.length),
  idempotency: Schema.Literals(["of the preset", "replay"]),
  inFlight: Schema.Literals(["of the preset", "wait"]),
  steps: Schema.Array(Step).check(Schema.isMinLength(12), Schema.isMaxLength(30))
})

export type Program = typeof Program.Type

/** One thing that a program does. */
export type Step = typeof Step.Type

/** One thing that a program asks for. */
export type Ask = typeof Ask.Type

/** The fault that a step arms. */
export const faultOf = ({ form, target }: Extract<Step, { readonly _tag: "Arm" }>): Fault.Fault => {
  const make = forms[form]
  if (make === undefined) throw new RangeError(`there is no form ${form}`)
  return make(targets[target] ?? {})
}

/** The switches of a program that are not its preset's. */
export const switchesOf = ({ idempotency, inFlight }: Program): Partial<Switches> => ({
  ...(idempotency === "replay" ? { "idempotency.sameBody": "replay" } : {}),
  ...(inFlight === "wait" ? { "idempotency.inFlight": "wait" } : {})
})
