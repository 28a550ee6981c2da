/**
 * Responds to a client's requests from a recording, at the recorded time. Nothing is sent.
 */
import { Transport, TransportError, type TransportRequest, type TransportShape } from "@signalbox/core/Transport"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Exchange, Recording } from "./Recording.ts"
import { recordedTarget } from "./Recorder.ts"

/** A request that the recording has no response to. Not a failure of the service: a client must not retry it. */
export class NotRecorded extends Error {
  readonly _tag = "NotRecorded"
  /** The message without the query, which can be long. */
  readonly summary: string

  constructor(method: string, target: string) {
    super(`not in the recording: ${method} ${target}`)
    this.summary = this.message.replace(/\?.*$/u, "")
  }
}

/** A recording that is being replayed. */
export interface Replay {
  /** The time of the replay, in milliseconds since 1970: when the last response arrived. It stands still in between. */
  readonly now: () => number
  /** Responds to requests from the recording. */
  readonly transport: Layer.Layer<Transport>
  /** The same time as a `Clock`, for the calls: their attempts then have the recorded times and durations. */
  readonly clock: Layer.Layer<never>
}

/** The parameters whose values can depend on when the request is sent, as in `after:24h`. */
const times = ["after", "before"]

/** How far a time in a request may be off, in milliseconds: a request is sent a moment after it was decided. */
const tolerance = 10_000

interface Question {
  /** Method and target without times. */
  readonly key: string
  /** Its times in milliseconds since 1970, or verbatim where they are no time. */
  readonly times: ReadonlyArray<number | string>
  readonly sentAt: number
}

const questionOf = (method: string, target: string, sentAt: number): Question => {
  const [path = "", search = ""] = target.split("?")
  const query = new URLSearchParams(search)
  const values = times.map((name) => query.get(name) ?? "")
  for (const name of times) query.delete(name)
  const moments = values.map((value) => (Number.isNaN(Date.parse(value)) ? value : Date.parse(value)))
  return { key: `${method} ${path}?${query.toString()}`, times: moments, sentAt }
}

/** Whether both ask the same: the same time, or as long before they were sent. */
const isSame = (sent: Question, recorded: Question): boolean =>
  sent.times.every((time, index) => {
    const other = recorded.times[index]
    if (time === other) return true
    if (typeof time !== "number" || typeof other !== "number") return false
    return Math.abs(sent.sentAt - time - (recorded.sentAt - other)) <= tolerance
  })

/** The clock of a replay: its time moves when a response arrives, and nothing else takes time but a wait. */
class ReplayClock implements Clock.Clock {
  readonly #live = Context.get(Context.empty(), Clock.Clock)
  #now: number
  #elapsedMs = 0

  constructor(now: number) {
    this.#now = now
  }

  readonly currentTimeMillis = Effect.sync(() => this.currentTimeMillisUnsafe())
  readonly currentTimeNanos = Effect.sync(() => this.currentTimeNanosUnsafe())
  readonly monotonicTimeNanos = Effect.sync(() => this.monotonicTimeNanosUnsafe())

  currentTimeMillisUnsafe() {
    return this.#now
  }

  currentTimeNanosUnsafe() {
    return BigInt(Math.round(this.#now)) * 1_000_000n
  }

  monotonicTimeNanosUnsafe() {
    return BigInt(Math.round(this.#elapsedMs)) * 1_000_000n
  }

  sleep(duration: Parameters<Clock.Clock["sleep"]>[0]) {
    return this.#live.sleep(duration)
  }

  /** To the end of an exchange; never back. */
  moveTo(end: number, tookMs: number) {
    this.#now = Math.max(this.#now, end)
    this.#elapsedMs += tookMs
  }
}

interface Recorded {
  readonly question: Question
  readonly exchange: Exchange
  isUsed: boolean
}

/**
 * Replays a recording: a request gets the responses that the same request got, one after another, then the last one
 * again. A request that was not recorded dies with {@link NotRecorded}.
 */
export const makeReplay = ({ exchanges, start }: Recording): Replay => {
  const clock = new ReplayClock(start.startedAt)
  const byKey = new Map<string, Array<Recorded>>()
  for (const exchange of exchanges) {
    const { method, target } = exchange.request
    const question = questionOf(method, target, start.startedAt + exchange.at)
    const known = byKey.get(question.key)
    const recorded = { question, exchange, isUsed: false }
    if (known === undefined) byKey.set(question.key, [recorded])
    else known.push(recorded)
  }

  const find = (method: string, target: string): Exchange | undefined => {
    const sent = questionOf(method, target, clock.currentTimeMillisUnsafe())
    const same = (byKey.get(sent.key) ?? []).filter(({ question }) => isSame(sent, question))
    const recorded = same.find(({ isUsed }) => !isUsed) ?? same.at(-1)
    if (recorded === undefined) return undefined
    recorded.isUsed = true
    return recorded.exchange
  }

  const send: TransportShape["send"] = ({ method, url }: TransportRequest) =>
    Effect.suspend(() => {
      const target = recordedTarget(url)
      const exchange = find(method, target)
      if (exchange === undefined) return Effect.die(new NotRecorded(method, target))
      const { at, ms, outcome } = exchange
      clock.moveTo(start.startedAt + at + ms, ms)
      if (outcome._tag === "Response") return Effect.succeed(outcome)
      const { delivery, ...cause } = outcome
      const known = delivery === undefined ? {} : { delivery }
      return Effect.fail(new TransportError({ cause, partial: undefined, ...known }))
    })

  return {
    now: () => clock.currentTimeMillisUnsafe(),
    transport: Layer.succeed(Transport, { send }),
    clock: Layer.succeed(Clock.Clock, clock)
  }
}
