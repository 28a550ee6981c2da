import { eventPage } from "../Input.ts"
import type { Contestant } from "../Measure.ts"
import { serveRounds } from "../Rounds.ts"

const jit = process.argv.includes("--jit")
// The compiler only covers decoders made after it: it has to be there before the models are loaded.
if (jit) await import("effect/schema/SchemaJITCompiler/enable")

const Schema = await import("effect/Schema")
const { EventsList } = await import("@signalbox/core/internal/api/Registry")
const { makeReader } = await import("../../../../packages/core/src/reading/Reader.ts")
const { eventsListWire } = await import("../../../../packages/core/src/reading/Shapes.ts")

const text = JSON.stringify(eventPage())
const body: unknown = JSON.parse(text)

const contract = Schema.decodeUnknownSync(EventsList.success)
const read = Schema.decodeUnknownSync(EventsList.read)
const reader = makeReader(eventsListWire)

const contestants: Array<Contestant> = [
  { name: "parse", run: () => JSON.parse(text) },
  { name: "contract", run: () => contract(body) },
  { name: "read", run: () => read(body) },
  { name: "reader", run: () => reader(body) }
]

if (!jit) {
  const { ActivitiesResponseDto$inboundSchema } = await import("@novu/api/models/components/activitiesresponsedto.js")
  const { zodEventPage } = await import("../PageSchemas.ts")
  const novuBody: unknown = JSON.parse(JSON.stringify(eventPage({ vendor: "novu" })))
  contestants.push(
    { name: "zod", run: () => zodEventPage.parse(body) },
    { name: "novu", run: () => ActivitiesResponseDto$inboundSchema.parse(novuBody) }
  )
}

await serveRounds(contestants)
