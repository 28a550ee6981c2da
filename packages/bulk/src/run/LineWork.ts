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
  /** The next lines; `undefined` after the last ones, each time. */
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
  /** Runs when the last line is started, perhaps several times. */
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
  const reading = yield* Semaphore.make(1)
  /** The requests of the lines that were read, the next one last. */
  let queue: Array<Effect.Effect<void, E | RunStopped>> = []
  let scouts = work.scouts ?? 0
  let isAllRead = false
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

  const send = Effect.fnUntraced(function* (unit: Unit, claimed: Effect.Effect<void, E>) {
    const unsent = outcomesUnsent(unit, delivery)
    if (unsent !== undefined) return yield* record(unsent.records, unsent.unchanged)
    let isClaimed = false
    const beforeRequest = Effect.suspend(() => {
      if (isClaimed) return Effect.void
      isClaimed = true
      // A line without a claim must not be sent: its call ends where sending stops.
      return claimed.pipe(Effect.catch((error) => Effect.andThen(fail(error), Effect.never)))
    }).pipe(Effect.andThen(Effect.suspend(() => (maySend?.() === false ? stop : Effect.void))))
    const claimAlone = Effect.suspend(() => claim(unit.parts.map((part) => unitOf([{ ...part, isInDoubt: false }]))))
    const { records, stopped } = yield* sendUnit(sender, delivery, unit, { beforeRequest, claimAlone })
    scouts = records.some(({ outcome }) => outcome === "succeeded") ? 0 : scouts - 1
    yield* record(records, [])
    return stopped === undefined ? undefined : yield* fail(stopped)
  })

  /** Reads lines until there are some to send, or no more. */
  const readMore = Effect.gen(function* () {
    while (queue.length === 0) {
      const lines = yield* work.next
      if (lines === undefined) {
        isAllRead = true
        return yield* work.onLastStarted ?? Effect.void
      }
      const { invalid, units } = plan(lines, work.factsOf)
      if (invalid.length > 0) yield* record(invalid, [])
      const requests: typeof queue = []
      for (const group of groupsOf(units, scouts, claimSize)) {
        const claimed = claimSize > 1 ? yield* Effect.cached(claim(group)) : claim(group)
        requests.push(...group.map((unit) => send(unit, claimed)))
      }
      // Only now: other senders would take the last requests first while this one adds them.
      queue = requests.reverse()
    }
    return undefined
  })
  const read = Semaphore.withPermit(reading, readMore).pipe(Effect.catch(fail))

  /** Sends one request after the other. */
  const sendUntil = (isDone: () => boolean) =>
    Effect.gen(function* () {
      while (!isDone()) {
        if (queue.length === 0) yield* read
        const sending = queue.pop()
        if (isStopping) return
        if (sending === undefined) {
          if (isAllRead) return
          // Another one took what was read.
          continue
        }
        // Meanwhile, the next lines are read.
        if (queue.length === 0) yield* Effect.forkChild(read)
        yield* sending.pipe(Effect.catch(fail))
      }
    })

  const run: Effect.Effect<void, E | RunStopped> = Effect.gen(function* () {
    yield* sendUntil(() => scouts <= 0)
    const senders = Array.from({ length: concurrency }, () => sendUntil(() => false))
    yield* Effect.all(senders, { concurrency: "unbounded", discard: true })
    if (failure !== undefined) return yield* Effect.fail(failure)
  })

  return { run, stop, waiting: sender.waiting }
})
