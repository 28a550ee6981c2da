/**
 * Does lines, wherever their claims and outcomes are kept: divides them into requests, claims each request before it is sent,
 * records its outcomes, and stops where every further line would fail.
 */
import * as Effect from "effect/Effect"
import * as Semaphore from "effect/Semaphore"
import type { InputLine } from "../input/InputLine.ts"
import type { LineRunKind } from "../input/LineRequest.ts"
import type { OutcomeRecord } from "../journal/JournalRecord.ts"
import type { RunStopped } from "../RunError.ts"
import type { Delivery } from "./LineCall.ts"
import { makeSender, type SenderLimits } from "./Sender.ts"
import { type LineFacts, makePlan, outcomesUnsent, sendUnit, type Unit, unitOf } from "./Units.ts"

/** Lines to do, and where their claims and outcomes are kept. */
export interface LineWork<E> extends SenderLimits {
  readonly kind: LineRunKind
  /** Fields for lines that do not have them. */
  readonly defaults: Readonly<Record<string, string>>
  readonly delivery: Delivery
  /** Requests that are sent one at a time, until a line succeeds: the API key may lead to another environment. */
  readonly scouts?: number
  /** Lines that are claimed together, apart from those of one request: after a crash, all of them are in doubt. */
  readonly claimSize: number
  /** The next lines; `undefined` after the last ones. */
  readonly next: Effect.Effect<ReadonlyArray<InputLine> | undefined, E>
  readonly factsOf: (line: number) => LineFacts
  /** Makes it durable that these requests may be sent. */
  readonly claim: (requests: ReadonlyArray<Unit>) => Effect.Effect<void, E>
  /** Whether a request may still be sent; sending stops when it may not. */
  readonly maySend?: () => boolean
  /** Keeps outcomes; `unchanged` are lines that are done with the outcome that they have. */
  readonly record: (
    records: ReadonlyArray<OutcomeRecord>,
    unchanged: ReadonlyArray<number>
  ) => Effect.Effect<void, E | RunStopped>
  /** Runs when the last line is started. */
  readonly onLastStarted?: Effect.Effect<void>
}

/** Lines in memory, as the next ones and the last. */
export const onlyLines = (lines: ReadonlyArray<InputLine>): LineWork<never>["next"] => {
  let next: ReadonlyArray<InputLine> | undefined = lines
  return Effect.sync(() => {
    const batch = next
    next = undefined
    return batch
  })
}

/** Units that are claimed together; the first ones, which are sent one at a time, each alone. */
const groupsOf = (units: ReadonlyArray<Unit>, alone: number, claimSize: number): ReadonlyArray<ReadonlyArray<Unit>> => {
  const groups: Array<Array<Unit>> = []
  let size = Infinity
  for (const unit of units) {
    if (size >= (groups.length <= alone ? 1 : claimSize)) {
      groups.push([])
      size = 0
    }
    groups.at(-1)?.push(unit)
    size += unit.lines.length
  }
  return groups
}

/** Prepares the work on lines: `run` does them, and lets those in flight get their outcomes before it fails; `stop` sends no more. */
export const makeSending = Effect.fnUntraced(function* <E>(work: LineWork<E>) {
  const { claim, claimSize, concurrency, delivery, maySend, record } = work
  const sender = yield* makeSender(delivery, work)
  const plan = makePlan(work.kind, work.defaults)
  const free = yield* Semaphore.make(concurrency)
  let scouts = work.scouts ?? 0
  let isStopping = false
  let failure: E | RunStopped | undefined

  const stop = Effect.suspend(() => {
    isStopping = true
    return sender.stop
  })
  const fail = (error: E | RunStopped) =>
    Effect.suspend(() => {
      failure ??= error
      return stop
    })

  const send = (unit: Unit, claimed: Effect.Effect<void, E>) => {
    let isClaimed = false
    const beforeRequest = Effect.suspend(() => {
      if (isClaimed) return Effect.void
      isClaimed = true
      // A line without a claim must not be sent: its call ends where sending stops.
      return claimed.pipe(Effect.catch((error) => Effect.andThen(fail(error), Effect.never)))
    }).pipe(Effect.andThen(Effect.suspend(() => (maySend?.() === false ? stop : Effect.void))))
    return Effect.gen(function* () {
      const unsent = outcomesUnsent(unit, delivery)
      if (unsent !== undefined) return yield* record(unsent.records, unsent.unchanged)
      const claimAlone = Effect.suspend(() => claim(unit.parts.map((part) => unitOf([{ ...part, isInDoubt: false }]))))
      const { records, stopped } = yield* sendUnit(sender, delivery, unit, { beforeRequest, claimAlone })
      scouts = records.some(({ outcome }) => outcome === "succeeded") ? 0 : scouts - 1
      yield* record(records, [])
      if (stopped !== undefined) yield* fail(stopped)
      return undefined
    }).pipe(Effect.catch(fail))
  }

  const sendAll = Effect.gen(function* () {
    for (let lines = yield* work.next; lines !== undefined; lines = yield* work.next) {
      const { invalid, units } = plan(lines, work.factsOf)
      if (invalid.length > 0) yield* record(invalid, [])
      for (const group of groupsOf(units, scouts, claimSize)) {
        const claimed = claimSize > 1 ? yield* Effect.cached(claim(group)) : claim(group)
        for (const unit of group) {
          yield* Semaphore.take(free, 1)
          if (isStopping) return yield* Semaphore.release(free, 1)
          const sending = Effect.ensuring(send(unit, claimed), Semaphore.release(free, 1))
          yield* scouts > 0 ? sending : Effect.forkChild(sending)
        }
      }
    }
    return yield* work.onLastStarted ?? Effect.void
  })

  const run: Effect.Effect<void, E | RunStopped> = Effect.gen(function* () {
    yield* sendAll.pipe(Effect.catch(fail))
    yield* Semaphore.take(free, concurrency)
    if (failure !== undefined) return yield* Effect.fail(failure)
  })

  return { run, stop, waiting: sender.waiting }
})
