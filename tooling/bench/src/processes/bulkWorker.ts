import { workerLayer } from "@signalbox/bulk/cluster"
import * as Client from "@signalbox/core/Client"
import * as Connection from "@signalbox/core/Connection"
import * as UndiciTransport from "@signalbox/core/UndiciTransport"
import { Agent } from "undici"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as References from "effect/References"

// As the worker of the command line.
const transport = UndiciTransport.layer(new Agent())
const [databaseUrl = "", service = ""] = process.argv.slice(2)

const client = Client.layerNoDeps.pipe(
  Layer.provide(transport),
  Layer.provide(Layer.orDie(Connection.layer({ apiKey: "key", baseUrl: service })))
)
const worker = workerLayer(Redacted.make(databaseUrl), { service })

// The parent asks for the processor time that was used so far, in milliseconds.
process.on("message", () => {
  const { system, user } = process.cpuUsage()
  process.send?.((system + user) / 1000)
})
process.on("disconnect", () => process.exit(0))

Effect.runFork(
  Layer.launch(Layer.provide(worker, client)).pipe(Effect.provideService(References.MinimumLogLevel, "None"))
)
