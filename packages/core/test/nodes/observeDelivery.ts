/** The program that runs on each Node: reads certificates, tries every row of the table, prints the deliveries that calls report. */
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { readFileSync } from "node:fs"
import { defineOperation } from "../../src/call/DeclaredOperation.ts"
import { Calls } from "../../src/services/Calls.ts"
import * as Client from "../../src/services/Client.ts"
import * as Connection from "../../src/transport/Connection.ts"
import { Events } from "../../src/services/Events.ts"
import { Messages } from "../../src/services/Messages.ts"
import type { Reason } from "../../src/errors/Reason.ts"
import type { SignalboxError } from "../../src/errors/Errors.ts"
import * as RetryPolicy from "../../src/policies/RetryPolicy.ts"
import * as Timeouts from "../../src/policies/Timeouts.ts"
import type { Transport } from "../../src/transport/Transport.ts"
import { transports, transportsOverHttp2 } from "../transport/Transports.ts"
import type { Certificates } from "./Certificates.ts"
import { type DeliveryRow, reportOf, rowsHere } from "./DeliveryTable.ts"

const read = Events.use((events) => events.list())
const write = Messages.use((messages) => messages.markAs("u_1", { messageId: "m_1", markAs: "read" }))

const addMember = defineOperation({ name: "topics.addMember", method: "POST", path: "/v1/topics/:topicKey/members" })
const append = Calls.use((calls) => calls.call(addMember, { path: { topicKey: "t_1" }, body: { subscriberId: "u_1" } }))

const deliveryIn = (reason: Reason): string => {
  if (reason._tag === "MalformedResponse") return "arrived"
  return "delivery" in reason ? reason.delivery : reason._tag
}

type Call<A> = Effect.Effect<A, Pick<SignalboxError, "advice" | "attempts" | "reason">, Client.Client>

const deliveryOf = <A>(
  call: Call<A>,
  baseUrl: string,
  { advice: permanent, attemptTimeout = "1 minute" }: DeliveryRow,
  transport: Layer.Layer<Transport>
) =>
  call.pipe(
    // A row may be about the second request of a connection.
    Effect.repeat({ times: 1 }),
    Effect.match({
      onSuccess: () => "a value",
      onFailure: ({ advice, attempts, reason }) =>
        permanent === undefined
          ? deliveryIn(reason)
          : reportOf(deliveryIn(reason), { attempts: attempts.length, advice })
    }),
    Effect.provide(
      Client.layerNoDeps.pipe(
        Layer.provide(transport),
        Layer.provide(Connection.layer({ apiKey: "key", baseUrl })),
        Layer.provideMerge(
          Layer.merge(
            // A retry would only be one more way to wait, unless the row is about not making one.
            RetryPolicy.layer(permanent === undefined ? RetryPolicy.none : RetryPolicy.make({ baseDelay: 0 })),
            Timeouts.layer(Timeouts.make({ attempt: attemptTimeout, call: "2 minutes" }))
          )
        )
      )
    )
  )

const observe = (row: DeliveryRow, certificates: Certificates) => {
  const { isHttp2, name, open } = row
  // Each call has its own server, because a row may be about what happened before on the same connection.
  const delivery = <A>(call: Call<A>, transport: Layer.Layer<Transport>) =>
    Effect.scoped(Effect.flatMap(open(certificates), (baseUrl) => deliveryOf(call, baseUrl, row, transport)))
  return Effect.map(
    Effect.forEach(
      Object.entries(isHttp2 ? transportsOverHttp2 : transports),
      ([transport, layer]) =>
        Effect.map(
          Effect.all([delivery(read, layer), delivery(write, layer), delivery(append, layer)], {
            concurrency: "unbounded"
          }),
          (deliveries) => [transport, [...new Set(deliveries)]] as const
        ),
      { concurrency: "unbounded" }
    ),
    (deliveries) => [name, Object.fromEntries(deliveries)] as const
  )
}

const main = Effect.gen(function* () {
  const certificates: Certificates = JSON.parse(readFileSync(0, "utf8"))
  // Few at a time: on a busy machine, a hundred handshakes at once take longer than the connect timeout of Node.
  const observed = yield* Effect.forEach(rowsHere(), (row) => observe(row, certificates), { concurrency: 6 })
  yield* Console.log(JSON.stringify(Object.fromEntries(observed)))
})

Effect.runFork(main)
