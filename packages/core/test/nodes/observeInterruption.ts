/** The program that runs on each Node: ends a write at every stage, and prints the delivery that it reports. */
import * as Console from "effect/Console"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"
import { readFileSync } from "node:fs"
import * as Client from "../../src/services/Client.ts"
import * as Connection from "../../src/transport/Connection.ts"
import { Messages } from "../../src/services/Messages.ts"
import { CallObserver } from "../../src/call/CallInfo.ts"
import * as RetryPolicy from "../../src/policies/RetryPolicy.ts"
import * as Timeouts from "../../src/policies/Timeouts.ts"
import type { Transport } from "../../src/transport/Transport.ts"
import { transports, transportsOverHttp2, transportsOverUndici } from "../transport/Transports.ts"
import type { Certificates } from "./Certificates.ts"
import { type InterruptionRow, stagesHere } from "./InterruptionTable.ts"

const mark = Messages.use((messages) => messages.markAs("u_1", { messageId: "m_1", markAs: "read" }))

/** How a call ends without a response. */
type End = "interruption" | "timeout"

/** Ends a write at a stage, and returns the delivery that it reports, after its connection was closed. */
const endAt = (row: InterruptionRow, transport: Layer.Layer<Transport>, end: End, certificates: Certificates) =>
  Effect.gen(function* () {
    const reached = yield* Deferred.make<void>()
    const closed = yield* Deferred.make<void>()
    const baseUrl = yield* row.open(
      {
        reached: () => Deferred.doneUnsafe(reached, Effect.void),
        closed: () => Deferred.doneUnsafe(closed, Effect.void)
      },
      certificates
    )
    const client = Client.layerNoDeps.pipe(
      Layer.provide(transport),
      Layer.provide(Connection.layer({ apiKey: "key", baseUrl })),
      Layer.provideMerge(RetryPolicy.layer(RetryPolicy.none))
    )
    let delivery = "not-sent"
    const observer: CallObserver = {
      onMayBeApplied: () => {
        delivery = "unknown"
      }
    }
    const call = Effect.flip(mark).pipe(Effect.provide(client))
    const longer = Effect.provideService(call, Timeouts.Timeouts, Timeouts.none)
    const busy = row.isQueued ? yield* Effect.forkChild(longer, { startImmediately: true }) : undefined
    if (busy !== undefined) yield* Deferred.await(reached)
    const fiber = yield* Effect.forkChild(Effect.provideService(call, CallObserver, observer), {
      startImmediately: true
    })
    yield* Deferred.await(reached)
    if (yield* Deferred.isDone(closed)) return "closed before it ended"
    if (end === "interruption") yield* Fiber.interrupt(fiber)
    else {
      // All limits are the default ones, on virtual time.
      yield* TestClock.adjust(Timeouts.default.attemptMs)
      const { mayHaveBeenApplied, reason } = yield* Fiber.join(fiber)
      delivery = reason._tag === "Timeout" ? reason.delivery : reason._tag
      if (mayHaveBeenApplied !== (delivery === "unknown")) return "mayHaveBeenApplied contradicts the delivery"
    }
    if (busy !== undefined) yield* Fiber.interrupt(busy)
    if (row.isConnecting !== true) yield* Deferred.await(closed)
    return delivery
  }).pipe(Effect.scoped, Effect.provide(TestClock.layer()))

const transportsOf = ({ isHttp2, isQueued }: InterruptionRow): Readonly<Record<string, Layer.Layer<Transport>>> => {
  if (isQueued) return transportsOverUndici({ connections: 1 })
  return isHttp2 ? transportsOverHttp2 : transports
}

const main = Effect.gen(function* () {
  const certificates: Certificates = JSON.parse(readFileSync(0, "utf8"))
  const observed = yield* Effect.forEach(stagesHere(), (row) =>
    Effect.map(
      Effect.forEach(Object.entries(transportsOf(row)), ([name, transport]) =>
        Effect.map(
          Effect.all([
            endAt(row, transport, "interruption", certificates),
            endAt(row, transport, "timeout", certificates)
          ]),
          (deliveries) => [name, [...new Set(deliveries)]] as const
        )
      ),
      (all) => [row.name, Object.fromEntries(all)] as const
    )
  )
  yield* Console.log(JSON.stringify(Object.fromEntries(observed)))
  // `fetch` may still be connecting.
  process.exit()
})

Effect.runFork(main)
