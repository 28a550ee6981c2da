import { makeReader } from "../../../../packages/core/src/reading/Reader.ts"
import { eventsListWire } from "../../../../packages/core/src/reading/Shapes.ts"
import { eventPage } from "../Input.ts"
import { serveRounds } from "../Rounds.ts"

// A reader that remembers the last page has no advantage.
const bodies = Array.from({ length: 64 }, (_, seed) => JSON.stringify(eventPage({ seed })))
const pages = bodies.map((text): unknown => JSON.parse(text))

/** Gives each run the next of some inputs. */
const inTurn = <A>(inputs: ReadonlyArray<A>, use: (input: A | undefined) => unknown): (() => unknown) => {
  let next = 0
  return () => use(inputs[next++ % inputs.length])
}

const reader = makeReader(eventsListWire)

await serveRounds([
  { name: "parse", run: inTurn(bodies, (body = "") => JSON.parse(body)) },
  { name: "reader", run: inTurn(pages, (page) => reader(page)) }
])
