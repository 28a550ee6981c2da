/**
 * A worker that may be killed at any moment.
 */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { TakeoverTime, workerLayer } from "../../src/cluster/Cluster.ts"
import { clientLayer } from "../TestService.ts"

const [url = "", port = "", baseUrl = "", apiKey = "", inputKey = ""] = process.argv.slice(2)

const worker = workerLayer(Redacted.make(url), {
  service: baseUrl,
  host: "127.0.0.1",
  port: Number(port),
  inputKey: Redacted.make(inputKey)
}).pipe(Layer.provide(clientLayer(apiKey, undefined, baseUrl)), Layer.provide(Layer.succeed(TakeoverTime, "6 seconds")))
Effect.runFork(Layer.launch(worker))
