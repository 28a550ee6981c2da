/**
 * A worker that may be killed at any moment.
 */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { TakeoverTime } from "../../src/cluster/ChunkWorker.ts"
import { ChunkWorker, workerLayer } from "../../src/cluster.ts"
import { clientLayer } from "../TestService.ts"

const [url = "", baseUrl = "", apiKey = "", inputKey = ""] = process.argv.slice(2)

const worker = workerLayer(Redacted.make(url), {
  service: baseUrl,
  inputKey: Redacted.make(inputKey)
}).pipe(Layer.provide(clientLayer(apiKey, undefined, baseUrl)), Layer.provide(Layer.succeed(TakeoverTime, "6 seconds")))
// As the command line: a worker that cannot continue ends.
Effect.runFork(ChunkWorker.use(({ failed }) => failed).pipe(Effect.provide(worker), Effect.ignore))
