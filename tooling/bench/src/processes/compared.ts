import { createFake } from "@signalbox/test-harness"
import { createClient } from "@signalbox/sdk"
import { makeReader } from "../../../../packages/core/src/reading/Reader.ts"
import { eventsListWire } from "../../../../packages/core/src/reading/Shapes.ts"
import { eventPage, subscriber } from "../Input.ts"
import type { Contestant } from "../Measure.ts"

const freshPages = 64

const decode = (): ReadonlyArray<Contestant> => {
  const reader = makeReader(eventsListWire)
  const page: unknown = JSON.parse(JSON.stringify(eventPage()))
  // A reader that remembers the last page has no advantage.
  const pages = Array.from({ length: freshPages }, (_, seed): unknown =>
    JSON.parse(JSON.stringify(eventPage({ seed })))
  )
  let next = 0
  return [
    { name: "reader, one page", run: () => reader(page) },
    { name: "reader, fresh pages", run: () => reader(pages[next++ % freshPages]) }
  ]
}

/** The client without a network: most of what is left is the pipeline. */
const call = (): ReadonlyArray<Contestant> => {
  const headers = new Headers({ "content-type": "application/json" })
  const responding = (body: unknown) => {
    const text = JSON.stringify(body)
    // The parts of a response that the client reads.
    const response = { status: 200, headers, text: () => Promise.resolve(text) } as Response
    return createClient({
      apiKey: "key",
      baseUrl: "http://127.0.0.1:1",
      identify: false,
      fetch: () => Promise.resolve(response)
    })
  }
  const listing = responding(eventPage({ events: 1 }))
  const marking = responding({ data: [] })
  const upserting = responding({ data: subscriber })
  const credentials = { deviceTokens: ["device-token-of-user-7"] }
  return [
    { name: "list of one event", run: () => listing.events.list({ limit: 1 }).then((page) => page) },
    { name: "mark", run: () => marking.messages.markAs("user-7", { messageId: "m1", markAs: "read" }) },
    { name: "upsert", run: () => upserting.credentials.upsert("user-7", { providerId: "fcm", credentials }) }
  ]
}

const fake = (): ReadonlyArray<Contestant> => {
  const service = createFake({ events: 1000, data: "demo" })
  const headers = { authorization: `ApiKey ${service.apiKey}`, "content-type": "application/json" }
  const body = JSON.stringify({ messageId: "64b5f0c2a1d2e3f4a5b6c7d8", markAs: "read" })
  const responseTo = async (path: string, init: RequestInit) =>
    (await service.fetch(`${service.baseUrl}${path}`, { ...init, headers })).text()
  return [
    { name: "mark", run: () => responseTo("/v1/subscribers/u_1/messages/mark-as", { method: "POST", body }) },
    { name: "page of 10", run: () => responseTo("/v1/notifications?limit=10", {}) }
  ]
}

/** The compared contestants by suite. */
export const compared = { call, decode, fake }
