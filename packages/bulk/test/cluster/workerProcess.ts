/**
 * A worker that may be killed at any moment.
 */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { workerLayer } from "../../src/cluster.ts"
import { clientLayer } from "../TestService.ts"

const [url = "", port = "", baseUrl, apiKey = ""] = process.argv.slice(2)

const worker = workerLayer(Redacted.make(url), { host: "127.0.0.1", port: Number(port) }).pipe(
  Layer.provide(clientLayer(apiKey, undefined, baseUrl))
)
Effect.runFork(Layer.launch(worker))
