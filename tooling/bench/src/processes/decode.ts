import { EventsList } from "@signalbox/core/internal/api/Registry"
import { ActivitiesResponseDto$inboundSchema } from "@novu/api/models/components/activitiesresponsedto.js"
import * as Schema from "effect/Schema"
import { makeReader } from "../../../../packages/core/src/reading/Reader.ts"
import { eventsListWire } from "../../../../packages/core/src/reading/Shapes.ts"
import { eventPage } from "../Input.ts"
import { zodEventPage } from "../PageSchemas.ts"
import { serveRounds } from "../Rounds.ts"

// A reader that remembers the last page has no advantage.
const freshPages = 64

const textsOf = (vendor: string): ReadonlyArray<string> =>
  Array.from({ length: freshPages }, (_, seed) => JSON.stringify(eventPage({ seed, vendor })))

/** Gives each run the next of some inputs. */
const inTurn = <A>(inputs: ReadonlyArray<A>, use: (input: A | undefined) => unknown): (() => unknown) => {
  let next = 0
  return () => use(inputs[next++ % inputs.length])
}

const bodies = textsOf("service")
const pages = bodies.map((text): unknown => JSON.parse(text))
const novuPages = textsOf("novu").map((text): unknown => JSON.parse(text))

const contract = Schema.decodeUnknownSync(EventsList.success)
const read = Schema.decodeUnknownSync(EventsList.read)
const reader = makeReader(eventsListWire)

await serveRounds([
  { name: "parse", run: inTurn(bodies, (text = "") => JSON.parse(text)) },
  { name: "contract", run: inTurn(pages, (page) => contract(page)) },
  { name: "read", run: inTurn(pages, (page) => read(page)) },
  { name: "reader", run: inTurn(pages, (page) => reader(page)) },
  { name: "zod", run: inTurn(pages, (page) => zodEventPage.parse(page)) },
  { name: "novu", run: inTurn(novuPages, (page) => ActivitiesResponseDto$inboundSchema.parse(page)) }
])
