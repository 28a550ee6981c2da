// The services, layers, errors and policies behind the client, over Effect's own HTTP client on the runtime's `fetch`.
import { CallInfo, Client, Events, RetryPolicy } from "@signalbox/sdk/effect"
import { createFake } from "@signalbox/test-harness"
import { listen } from "@signalbox/test-harness/server"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import * as FetchHttpClient from "effect/http/FetchHttpClient"

const fake = createFake({ seed: 7, events: 25 })
await using server = await listen(fake)

const program = Effect.gen(function* () {
  const events = yield* Events.Events
  const { call, value } = yield* CallInfo.withInfo(events.list({ limit: 5 }))
  const first = yield* events.stream({ limit: 10 }).pipe(Stream.take(15), Stream.runCollect)
  const refused = yield* events
    .list({ limit: 51 })
    .pipe(Effect.catchReason("ListEventsError", "InvalidRequest", ({ fields }) => Effect.succeed(fields[0]?.path)))
  return { listed: value.data.length, status: call.status, first: first.length, refused }
})

const layer = Client.layer({ apiKey: fake.apiKey, baseUrl: server.url }).pipe(Layer.provide(FetchHttpClient.layer))

console.log(
  JSON.stringify(
    await Effect.runPromise(
      program.pipe(Effect.provideService(RetryPolicy.RetryPolicy, RetryPolicy.none), Effect.provide(layer))
    )
  )
)
