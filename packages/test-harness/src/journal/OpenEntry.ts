/**
 * A journal entry while its request is on its way.
 */
import type { OperationName } from "@signalbox/core/Operation"
import { redact } from "@signalbox/core/Redaction"
import type { WireAnswer } from "../request/Delivery.ts"
import type { FakeRequest } from "../request/FakeRequest.ts"
import type { JournalEntry, Leak, Passage, Told } from "./JournalEntry.ts"
import { refusalWords } from "./RefusalWords.ts"

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
const longestRefusal = 10_000

/** A journal entry while its request is on its way; readers see it as a {@link JournalEntry}. */
export class OpenEntry implements JournalEntry {
  readonly number: number
  readonly logical: number
  readonly attempt: number
  readonly repeats: number | undefined
  endedAt: number | undefined
  readonly passages: Array<Passage> = []
  readonly faults: Array<string> = []
  applied = false
  replayed = false
  leaks: ReadonlyArray<Leak> = []
  told: Told = { _tag: "Pending" }
  answerHeaders: Readonly<Record<string, string>> = {}
  #refusalBody: string | undefined
  readonly #arrival: Arrival

  constructor(arrival: Arrival, place: Pick<JournalEntry, "number" | "logical" | "attempt" | "repeats">) {
    this.#arrival = arrival
    this.number = place.number
    this.logical = place.logical
    this.attempt = place.attempt
    this.repeats = place.repeats
  }

  /** The client is told this, by an answer where there is one. */
  tell(told: Told, answer: WireAnswer | undefined): void {
    this.told = told
    this.answerHeaders = answer?.headers ?? {}
    // Bodies of other answers are long, and nobody looks for words in them.
    if (told._tag === "Answer" && told.status >= 400) this.#refusalBody = answer?.body?.slice(0, longestRefusal)
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
      logical: this.logical,
      attempt: this.attempt,
      repeats: this.repeats,
      passages: this.passages,
      applied: this.applied,
      replayed: this.replayed,
      faults: this.faults,
      told: this.told,
      endedAt: this.endedAt,
      answerHeaders: this.answerHeaders,
      refusal: this.refusal,
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
  get refusal() {
    return this.#refusalBody === undefined ? undefined : refusalWords(this.#refusalBody)
  }
}
