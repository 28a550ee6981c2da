/**
 * A journal entry while its request is on its way.
 */
import type { OperationName } from "@signalbox/core/Operation"
import { redact } from "@signalbox/core/Redaction"
import type { WireResponse } from "../request/Delivery.ts"
import type { FakeRequest } from "../request/FakeRequest.ts"
import type { JournalEntry, Leak, ReachedPoint, RequestOutcome } from "./JournalEntry.ts"
import { errorMessageOf } from "./ErrorMessage.ts"

/** What is known of a request when it arrives. */
export interface Arrival {
  readonly request: FakeRequest
  readonly at: number
  readonly operation: OperationName | undefined
  readonly subscriberId: string | undefined
  readonly idempotencyKey: string | undefined
}

const parsed = (body: string): unknown => {
  if (body === "") return undefined
  try {
    return JSON.parse(body) as unknown
  } catch {
    return body
  }
}

const withoutKey = (headers: Iterable<readonly [string, string]>): Readonly<Record<string, string>> =>
  Object.fromEntries([...headers].map(([name, value]) => [name, name === "authorization" ? "<redacted>" : value]))

/** Characters of the body of an error that are kept. */
const longestErrorBody = 10_000

/** A journal entry while its request is on its way; readers see it as a {@link JournalEntry}. */
export class OpenEntry implements JournalEntry {
  readonly number: number
  readonly call: number
  readonly attempt: number
  readonly retryOf: number | undefined
  endedAt: number | undefined
  readonly points: Array<ReachedPoint> = []
  readonly faults: Array<string> = []
  applied = false
  replayed = false
  leaks: ReadonlyArray<Leak> = []
  outcome: RequestOutcome = { _tag: "Pending" }
  responseHeaders: Readonly<Record<string, string>> = {}
  #errorBody: string | undefined
  readonly #arrival: Arrival

  constructor(arrival: Arrival, place: Pick<JournalEntry, "number" | "call" | "attempt" | "retryOf">) {
    this.#arrival = arrival
    this.number = place.number
    this.call = place.call
    this.attempt = place.attempt
    this.retryOf = place.retryOf
  }

  /** The client is outcome this, by an answer where there is one. */
  tell(outcome: RequestOutcome, response: WireResponse | undefined): void {
    this.outcome = outcome
    this.responseHeaders = response?.headers ?? {}
    // Bodies of other answers are long, and nobody looks for words in them.
    if (outcome._tag === "Response" && outcome.status >= 400)
      this.#errorBody = response?.body?.slice(0, longestErrorBody)
  }

  get surface() {
    return this.#arrival.request.surface
  }
  get at() {
    return this.#arrival.at
  }
  get method() {
    return this.#arrival.request.method
  }
  get path() {
    return this.#arrival.request.path
  }
  get query() {
    return this.#arrival.request.query
  }
  get operation() {
    return this.#arrival.operation
  }
  get subscriberId() {
    return this.#arrival.subscriberId
  }
  get idempotencyKey() {
    return this.#arrival.idempotencyKey
  }
  /** What `JSON.stringify` shows. */
  toJSON(): JournalEntry {
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
      replayed: this.replayed,
      faults: this.faults,
      outcome: this.outcome,
      endedAt: this.endedAt,
      responseHeaders: this.responseHeaders,
      errorMessage: this.errorMessage,
      leaks: this.leaks
    }
  }
  // People and assertions read these three, and seldom; redacting every request would cost more than answering it.
  get headers() {
    return withoutKey(this.#arrival.request.headers())
  }
  get body() {
    return redact(parsed(this.#arrival.request.body))
  }
  get errorMessage() {
    return this.#errorBody === undefined ? undefined : errorMessageOf(this.#errorBody)
  }
}
