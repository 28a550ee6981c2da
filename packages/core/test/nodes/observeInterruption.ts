/** The program that runs on each Node: interrupts a call at every stage, and prints whether its connection was closed. */
import * as Console from "effect/Console"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Client from "../../src/services/Client.ts"
import * as Connection from "../../src/transport/Connection.ts"
import { Events } from "../../src/services/Events.ts"
import type { Transport } from "../../src/transport/Transport.ts"
import { transports } from "../transport/Transports.ts"
import { type InterruptionRow, interruptionTable } from "./InterruptionTable.ts"

const list = Events.use((events) => events.list())

const interruptAt = ({ open }: InterruptionRow, transport: Layer.Layer<Transport>) =>
  Effect.gen(function* () {
    const reached = yield* Deferred.make<void>()
    const closed = yield* Deferred.make<void>()
    const baseUrl = yield* open({
      reached: () => Deferred.doneUnsafe(reached, Effect.void),
      closed: () => Deferred.doneUnsafe(closed, Effect.void)
    })
    const client = Client.layerNoDeps.pipe(
      Layer.provide(transport),
      Layer.provide(Connection.layer({ apiKey: "key", baseUrl }))
    )
    const fiber = yield* Effect.forkChild(Effect.provide(list, client))
    yield* Deferred.await(reached)
    const wasOpen = !(yield* Deferred.isDone(closed))
    yield* Fiber.interrupt(fiber)
    yield* Deferred.await(closed)
    return wasOpen ? "closed by the interruption" : "closed before it"
  }).pipe(Effect.scoped)

const main = Effect.gen(function* () {
  const observed = yield* Effect.forEach(interruptionTable, (row) =>
    Effect.map(
      Effect.forEach(Object.values(transports), (transport) => interruptAt(row, transport)),
      (all) => [row.name, [...new Set(all)]] as const
    )
  )
  yield* Console.log(JSON.stringify(Object.fromEntries(observed)))
})

Effect.runFork(main)
