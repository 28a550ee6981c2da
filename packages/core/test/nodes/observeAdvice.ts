/** The program that runs on Deno: reads names and base URLs, makes a call to each over `fetch`, prints what the errors report. */
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { readFileSync } from "node:fs"
import * as Client from "../../src/services/Client.ts"
import * as Connection from "../../src/transport/Connection.ts"
import { Events } from "../../src/services/Events.ts"
import * as FetchTransport from "../../src/transport/FetchTransport.ts"
import * as RetryPolicy from "../../src/policies/RetryPolicy.ts"
import { reportOf } from "./DeliveryTable.ts"

const adviceOf = (baseUrl: string) =>
  Events.use((events) => events.list()).pipe(
    Effect.match({
      onSuccess: () => "a value",
      onFailure: ({ advice, attempts, reason }) =>
        reportOf("delivery" in reason ? reason.delivery : reason._tag, { attempts: attempts.length, advice })
    }),
    Effect.provide(
      Client.layerNoDeps.pipe(
        Layer.provide(FetchTransport.layer()),
        Layer.provide(Connection.layer({ apiKey: "key", baseUrl })),
        Layer.provideMerge(RetryPolicy.layer(RetryPolicy.make({ baseDelay: 0 })))
      )
    )
  )

const main = Effect.gen(function* () {
  const places: Record<string, string> = JSON.parse(readFileSync(0, "utf8"))
  const observed: Record<string, string> = {}
  for (const [name, baseUrl] of Object.entries(places)) observed[name] = yield* adviceOf(baseUrl)
  yield* Console.log(JSON.stringify(observed))
})

Effect.runFork(main)
