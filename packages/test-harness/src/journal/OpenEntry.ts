import type { AnyOperationName } from "@signalbox/core/Operations"
import { secretsUnderNames } from "@signalbox/core/internal/errors/SecretPositions"
import { isSecretName, makeRedaction, type Redaction } from "@signalbox/core/Redaction"
import { type Delivery, deliveryEffect } from "../wire/Delivery.ts"
import { type EnvironmentState, subscriberOf } from "../state/EnvironmentState.ts"
import type { FakeRequest, Surface } from "../wire/FakeRequest.ts"
import {
  type JournalEntry,
  type Leak,
  type ListedEntry,
  type Point,
  points,
  type ReachedPoint,
  type RequestOutcome
} from "./JournalEntry.ts"
import {
  isKept,
  isTooLarge,
  keptResponse,
  lengthOf,
  omit,
  type OmittedBody,
  type OmittedResponse,
  omitResponse
} from "./KeptBody.ts"
import { errorMessageOf } from "./ErrorMessage.ts"
import { statusLine } from "../wire/StatusLine.ts"
import type { WireBody } from "../wire/WireBody.ts"

/** The facts about a request when it arrives. */
export interface Arrival {
  readonly request: FakeRequest
  readonly at: number
  readonly operation: AnyOperationName | undefined
  readonly subscriberId: string | undefined
  readonly idempotencyKey: string | undefined
  /** Secrets of the request besides those that their names or forms show. */
  readonly secrets?: ReadonlyArray<string> | undefined
  /** Reads the state, for the secrets of the request's subscriber. A copy here would stay in memory as long as the entry. */
  readonly state?: () => EnvironmentState
}

const parsed = (body: string): unknown => {
  if (body === "") return undefined
  try {
    return JSON.parse(body) as unknown
  } catch {
    return body
  }
}

// Shared, because the journal keeps thousands of entries.
const none: ReadonlyArray<never> = []
const pending = { _tag: "Pending" } as const

/** The API keys that a request was sent with. */
const keysOf = (headers: Iterable<readonly [string, string]>): ReadonlyArray<string> =>
  [...headers].flatMap(([name, value]) => (isSecretName(name) ? [value.replace(/^\w+ +/u, "")] : []))

// Most requests of a test have the same key.
let latest = { print: "", redaction: makeRedaction([]) }

const redactionOf = (headers: Iterable<readonly [string, string]>, secrets: ReadonlyArray<string>): Redaction => {
  const keys = keysOf(headers)
  const print = JSON.stringify([keys, secrets])
  if (print !== latest.print) latest = { print, redaction: makeRedaction(keys, secrets) }
  return latest.redaction
}

// The symbol that `util.inspect` asks for.
const inspected: unique symbol = Symbol.for("nodejs.util.inspect.custom")

/** How many secrets of a body stay when the body is omitted: a response shows few of them. */
const maxSecrets = 100

/** Characters of an error body that are kept. */
const longestErrorBody = 10_000

/** A journal entry while its request is processed; readers see it as a {@link JournalEntry}. */
export class OpenEntry implements JournalEntry {
  readonly number: number
  readonly surface: Surface
  readonly at: number
  readonly method: string
  readonly operation: AnyOperationName | undefined
  readonly subscriberId: string | undefined
  readonly idempotencyKey: string | undefined
  readonly call: number
  readonly attempt: number
  readonly retryOf: number | undefined
  endedAt: number | undefined
  faults: ReadonlyArray<string> = none
  applied = false
  /** Whether the request appends to a list, so that applying it twice does harm. */
  appends = false
  replayed = false
  leaks: ReadonlyArray<Leak> = none
  outcome: RequestOutcome = pending
  responseHeaders: Readonly<Record<string, string>> = {}
  faultEffect: string | undefined
  /** When each point was reached; an array of numbers takes a fifth of the memory of a list of objects. */
  readonly #reachedAt = [NaN, NaN, NaN, NaN, NaN]
  #responseBody: WireBody | OmittedResponse | undefined
  #errorBody: string | undefined
  #keepsWholeResponse = false
  readonly #path: string
  readonly #query: string
  #body: string | OmittedBody
  readonly #headers: FakeRequest["headers"]
  readonly #secrets: ReadonlyArray<string>
  readonly #state: Arrival["state"]
  /** Secrets of the body of the request once that is omitted. */
  #omittedSecrets: ReadonlyArray<string> = none

  constructor(
    { at, idempotencyKey, operation, request, secrets = none, state, subscriberId }: Arrival,
    place: Pick<JournalEntry, "number" | "call" | "attempt" | "retryOf">
  ) {
    // The request itself is not kept: its body can be large.
    this.#body = request.body
    if (isTooLarge(request.body)) this.#omitRequest("too-large")
    this.#headers = request.headers
    this.#secrets = secrets
    this.#state = state
    this.surface = request.surface
    this.method = request.method
    this.#path = request.path
    this.#query = request.query
    this.at = at
    this.operation = operation
    this.subscriberId = subscriberId
    this.idempotencyKey = idempotencyKey
    this.number = place.number
    this.call = place.call
    this.attempt = place.attempt
    this.retryOf = place.retryOf
  }

  /** Sets when the request reached a point. */
  reach(point: Point, at: number): void {
    this.#reachedAt[points.indexOf(point)] = at
  }

  /** Sets the outcome, with the delivery if the client did not disconnect before. */
  finish(outcome: RequestOutcome, delivery: Delivery | undefined): void {
    this.outcome = outcome
    if (outcome._tag === "Response" && outcome.status === 413) this.#omitRequest("rejected")
    if (delivery === undefined) return
    this.faultEffect = deliveryEffect(delivery)
    if (delivery._tag === "NoResponse") return
    const { body, headers } = delivery.response
    this.responseHeaders = headers
    this.#responseBody = body === undefined ? undefined : this.#keepsWholeResponse ? body : keptResponse(body)
    // The message stays when the body is evicted.
    if (outcome._tag === "Response" && outcome.status >= 400) this.#errorBody = body?.text().slice(0, longestErrorBody)
  }

  /** Keeps the body of the response whatever its length. */
  keepWholeResponse(): void {
    this.#keepsWholeResponse = true
  }

  /** Characters of both bodies that are kept. */
  get bodyLength(): number {
    return lengthOf(this.#body) + lengthOf(this.#responseBody)
  }

  /** Replaces both bodies by their sizes, to make room for newer ones. */
  evictBodies(): void {
    this.#omitRequest("evicted")
    if (isKept(this.#responseBody)) this.#responseBody = omitResponse(this.#responseBody, "evicted")
  }

  #omitRequest(reason: OmittedBody["omitted"]): void {
    if (typeof this.#body !== "string" || this.#body === "") return
    this.#omittedSecrets = this.#sentSecrets().slice(0, maxSecrets)
    this.#body = omit(this.#body, reason)
  }

  /** The form for `JSON.stringify`. */
  toJSON(): JournalEntry {
    return { ...this.listed(), responseBody: this.responseBody }
  }
  /** The content of the request, secrets included. */
  sent(): SentContent {
    return {
      query: this.#query,
      headers: this.#headers(),
      body:
        typeof this.#body === "string"
          ? { _tag: "Kept", value: parsed(this.#body) }
          : { _tag: "Omitted", reason: this.#body.omitted }
    }
  }
  /** The body of the response, secrets included. */
  received(): unknown {
    return isKept(this.#responseBody) ? parsed(this.#responseBody.text()) : undefined
  }
  /** The form for lists of many entries. */
  listed(): ListedEntry {
    return {
      number: this.number,
      surface: this.surface,
      at: this.at,
      method: this.method,
      path: this.path,
      query: this.query,
      operation: this.operation,
      subscriberId: this.subscriberId,
      idempotencyKey: this.idempotencyKey,
      headers: this.headers,
      body: this.body,
      call: this.call,
      attempt: this.attempt,
      retryOf: this.retryOf,
      points: this.points,
      applied: this.applied,
      appends: this.appends,
      replayed: this.replayed,
      faults: this.faults,
      outcome: this.outcome,
      endedAt: this.endedAt,
      statusLine: this.statusLine,
      responseHeaders: this.responseHeaders,
      faultEffect: this.faultEffect,
      errorMessage: this.errorMessage,
      leaks: this.leaks
    }
  }
  /** The form for Node's console and failing assertions, which otherwise omit getters. */
  [inspected](): JournalEntry {
    return this.toJSON()
  }
  // Computed when they are read, which is rare: redacting every request would cost more than responding to it.
  get points(): ReadonlyArray<ReachedPoint> {
    return points.flatMap((point, index) => {
      const at = this.#reachedAt[index] ?? NaN
      return Number.isNaN(at) ? [] : [{ point, at }]
    })
  }
  get path() {
    return this.#redaction.exact(this.#path)
  }
  get query() {
    return this.#redaction.text(this.#query)
  }
  get headers() {
    const { exact } = this.#redaction
    return Object.fromEntries(
      [...this.#headers()].map(([name, value]) => [name, isSecretName(name) ? "<redacted>" : exact(value)])
    )
  }
  get body() {
    return typeof this.#body === "string" ? this.#shown(this.#body) : this.#body
  }
  get statusLine() {
    return "status" in this.outcome ? statusLine(this.outcome.status) : undefined
  }
  get responseBody() {
    return isKept(this.#responseBody)
      ? this.#shown(this.#responseBody.text(), this.#responseRedaction)
      : this.#responseBody
  }
  get errorMessage() {
    return this.#errorBody === undefined ? undefined : errorMessageOf(this.#responseRedaction.exact(this.#errorBody))
  }
  get #redaction(): Redaction {
    return redactionOf(this.#headers(), this.#secrets)
  }
  /** A response can contain secrets that the request sent or that are stored, also in the middle of a sentence. */
  get #responseRedaction(): Redaction {
    const stored = this.#state && subscriberOf(this.#state(), this.subscriberId ?? "")
    const echoed = [...this.#sentSecrets(), ...secretsUnderNames(stored)]
    return redactionOf(this.#headers(), [...this.#secrets, ...echoed])
  }
  #sentSecrets(): ReadonlyArray<string> {
    return typeof this.#body === "string" ? secretsUnderNames(parsed(this.#body)) : this.#omittedSecrets
  }
  #shown(body: string, redaction = this.#redaction): unknown {
    return body === "" ? undefined : redaction.body(body)
  }
}

/** The content of a request as it was sent, secrets included; only for comparisons. */
export interface SentContent {
  readonly query: string
  readonly headers: Iterable<readonly [name: string, value: string]>
  readonly body:
    | { readonly _tag: "Kept"; readonly value: unknown }
    | { readonly _tag: "Omitted"; readonly reason: OmittedBody["omitted"] }
}

export const sentBy = (entry: JournalEntry): SentContent => {
  if (!(entry instanceof OpenEntry)) throw new TypeError("The entry is of no journal of a fake")
  return entry.sent()
}

/** Lets a journal keep responses of any length from now on, so that all of them can be compared. */
export const keepWholeResponses = (journal: {
  readonly subscribe: (changed: (entry: JournalEntry) => void) => unknown
}): void =>
  void journal.subscribe((entry) => {
    if (entry instanceof OpenEntry) entry.keepWholeResponse()
  })

/** The body of a response as it was sent, secrets included; `undefined` where none is kept. Only for comparisons. */
export const receivedFrom = (entry: JournalEntry): unknown =>
  entry instanceof OpenEntry ? entry.received() : undefined

/** An entry without the body of its response, which costs more to redact than all the rest. */
export const listedEntry = (entry: JournalEntry): ListedEntry => (entry instanceof OpenEntry ? entry.listed() : entry)
