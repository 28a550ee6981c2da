/**
 * State of rate limiters in PostgreSQL, for processes on many machines that share a limit.
 *
 * Effect has stores for memory and Redis; this one has their rules. Each use locks the row of its key and takes the time
 * from the database, so that the clocks of the machines do not matter.
 */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import {
  type AdaptiveConsumeResult,
  type AdaptivePhase,
  RateLimiterError,
  RateLimiterStore,
  RateLimitStoreError
} from "effect/persistence/RateLimiter"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"

interface Window {
  readonly count: number
  readonly expiresAt: number
}

interface Bucket {
  readonly tokens: number
  readonly lastRefill: number
}

interface Adaptive {
  readonly phase: AdaptivePhase
  readonly epoch: number
  readonly cooldownUntil: number
  readonly learningStartedAt: number
  readonly observedTokens: number
  readonly learnedLimit: number
  readonly learnedWindowMs: number
  readonly expiresAt: number
}

/** How one use changes the state of a key: its result, and the new state. */
type Step<State, A> = (state: State | undefined, now: number) => readonly [result: A, state: State | undefined]

const graceMs = 60_000
const maxWindowMs = 60 * 60_000

const bounded = (milliseconds: number): number => (milliseconds > 0 ? Math.min(milliseconds, maxWindowMs) : 1)

const initial: Adaptive = {
  phase: "inactive",
  epoch: 0,
  cooldownUntil: 0,
  learningStartedAt: 0,
  observedTokens: 0,
  learnedLimit: 0,
  learnedWindowMs: 0,
  expiresAt: 0
}

const cooldown = (epoch: number, until: number): Adaptive => ({
  ...initial,
  phase: "cooldown",
  epoch,
  cooldownUntil: until,
  expiresAt: until + graceMs
})

const current = (state: Adaptive | undefined, now: number): Adaptive | undefined =>
  state !== undefined && state.expiresAt > now ? state : undefined

const consumeLearned = (state: Adaptive, tokens: number, now: number): readonly [delayMs: number, state: Adaptive] => {
  const { learnedLimit, learnedWindowMs } = state
  const refillMs = learnedWindowMs / learnedLimit
  const isOver = state.cooldownUntil <= now
  const observedTokens = (isOver ? 0 : state.observedTokens) + tokens
  const cooldownUntil = (isOver ? now : state.cooldownUntil) + refillMs * tokens
  const elapsed = observedTokens * refillMs - (cooldownUntil - now)
  const windowNumber = Math.floor((observedTokens - 1) / learnedLimit)
  return [Math.max(0, windowNumber * learnedWindowMs - elapsed), { ...state, observedTokens, cooldownUntil }]
}

const adaptiveConsume =
  (tokens: number, fallbackWindowMs: number): Step<Adaptive, AdaptiveConsumeResult> =>
  (stored, now) => {
    const state = current(stored, now)
    const result = ({ epoch, phase }: Adaptive, delayMs = 0): AdaptiveConsumeResult => ({
      delay: Duration.millis(delayMs),
      epoch,
      phase
    })
    if (state === undefined) return [result(initial), undefined]
    switch (state.phase) {
      case "inactive":
        return [result(state), state]
      case "cooldown": {
        if (state.cooldownUntil > now) return [result(state, state.cooldownUntil - now), state]
        const learning: Adaptive = {
          ...initial,
          phase: "learning",
          epoch: state.epoch + 1,
          learningStartedAt: now,
          observedTokens: tokens,
          expiresAt: now + fallbackWindowMs + graceMs
        }
        return [result(learning), learning]
      }
      case "learning":
        return [result(state), { ...state, observedTokens: state.observedTokens + tokens }]
      case "learned": {
        const [delayMs, next] = consumeLearned(state, tokens, now)
        return [result(state, delayMs), next]
      }
    }
  }

/** The state after a response with status 429, by which a limit is learned. */
const rejected = (state: Adaptive, tokens: number, retryAfterMs: number, now: number): Adaptive => {
  const until = now + retryAfterMs
  if (state.phase === "cooldown") return cooldown(state.epoch, Math.max(state.cooldownUntil, until))
  const accepted = state.observedTokens - tokens
  if (state.phase !== "learning" || accepted <= 0) return cooldown(state.epoch, until)
  const learnedWindowMs = bounded(now - state.learningStartedAt + retryAfterMs)
  return {
    phase: "learned",
    epoch: state.epoch + 1,
    cooldownUntil: state.learningStartedAt + learnedWindowMs,
    learningStartedAt: state.learningStartedAt,
    observedTokens: accepted,
    learnedLimit: accepted,
    learnedWindowMs,
    expiresAt: now + learnedWindowMs + graceMs
  }
}

const adaptiveFeedback =
  (epoch: number, tokens: number, retryAfterMs: number): Step<Adaptive, void> =>
  (stored, now) => {
    const state = current(stored, now)
    if ((state?.epoch ?? 0) !== epoch) return [undefined, state]
    return [
      undefined,
      state === undefined ? cooldown(0, now + retryAfterMs) : rejected(state, tokens, retryAfterMs, now)
    ]
  }

const fixedWindow =
  (tokens: number, refillMs: number, limit: number | undefined): Step<Window, readonly [count: number, ttl: number]> =>
  (stored, now) => {
    const state = stored !== undefined && stored.expiresAt > now ? stored : { count: 0, expiresAt: now }
    const count = state.count + tokens
    if (limit !== undefined && count > limit) return [[count, state.expiresAt - now], state]
    const expiresAt = state.expiresAt + refillMs * tokens
    return [[count, expiresAt - now], { count, expiresAt }]
  }

const tokenBucket =
  (
    tokens: number,
    refillMs: number,
    limit: number,
    allowOverflow: boolean
  ): Step<Bucket, readonly [remaining: number, elapsedMs: number]> =>
  (stored, now) => {
    const before = stored ?? { tokens: limit, lastRefill: now }
    const added = Math.max(0, Math.floor((now - before.lastRefill) / refillMs))
    const available = added > 0 ? Math.min(limit, before.tokens + added) : before.tokens
    const lastRefill = available >= limit ? now : before.lastRefill + added * refillMs
    const remaining = available - tokens
    const isTaken = allowOverflow || remaining >= 0
    return [[remaining, Math.max(0, now - lastRefill)], { tokens: isTaken ? remaining : available, lastRefill }]
  }

const storeError = (cause: unknown) =>
  new RateLimiterError({
    reason: new RateLimitStoreError({ message: "the database of the rate limit does not respond", cause })
  })

/** The time of the database in milliseconds, with fractions. */
const nowMs = "(extract(epoch FROM clock_timestamp()) * 1000)::double precision"

const make = Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* Effect.retry(sql`CREATE TABLE IF NOT EXISTS signalbox_bulk_rate_limits (key text PRIMARY KEY, state jsonb)`, {
    times: 3
  })

  const change = <State, A>(key: string, step: Step<State, A>): Effect.Effect<A, RateLimiterError> =>
    Effect.gen(function* () {
      yield* sql`INSERT INTO signalbox_bulk_rate_limits (key) VALUES (${key}) ON CONFLICT DO NOTHING`
      // The time is read after the lock is held: a process that waited for the lock must not see an earlier one.
      const [row] = yield* sql<{ readonly state: State | null }>`
        SELECT state FROM signalbox_bulk_rate_limits WHERE key = ${key} FOR UPDATE`
      const [clock] = yield* sql<{ readonly now: number }>`SELECT ${sql.literal(nowMs)} AS now`
      const [result, state] = step(row?.state ?? undefined, clock?.now ?? 0)
      const stored = state === undefined ? null : JSON.stringify(state)
      yield* sql`UPDATE signalbox_bulk_rate_limits SET state = ${stored}::jsonb WHERE key = ${key}`
      return result
    }).pipe(sql.withTransaction, Effect.mapError(storeError))

  return RateLimiterStore.of({
    fixedWindow: ({ key, limit, refillRate, tokens }) =>
      change(`${key}:window`, fixedWindow(tokens, Duration.toMillis(refillRate), limit)),
    tokenBucket: ({ allowOverflow, key, limit, refillRate, tokens }) =>
      change(`${key}:bucket`, tokenBucket(tokens, Duration.toMillis(refillRate), limit, allowOverflow)),
    adaptiveConsume: ({ fallbackWindow, key, tokens }) =>
      change(`${key}:adaptive`, adaptiveConsume(tokens, Duration.toMillis(fallbackWindow))),
    adaptiveFeedback: ({ epoch, key, retryAfter, status, tokens }) =>
      status !== 429 || retryAfter === undefined
        ? Effect.void
        : change(`${key}:adaptive`, adaptiveFeedback(epoch, tokens, bounded(Duration.toMillis(retryAfter))))
  })
})

/** The state of rate limiters in the database of the surroundings. */
export const layer: Layer.Layer<RateLimiterStore, SqlError, SqlClient> = Layer.effect(RateLimiterStore, make)
