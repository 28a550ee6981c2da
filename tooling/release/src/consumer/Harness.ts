// A program with nothing but the fake: over `fetch` and over HTTP, with a fault and an expectation.
import { createFake, expectFake, Fault, UnmetExpectation } from "@signalbox/test-harness"
import { listen } from "@signalbox/test-harness/server"

const fake = createFake({ seed: 7, events: 25 })
await using server = await listen(fake)
const headers = { authorization: `ApiKey ${fake.apiKey}` }
const list = async (fetch: typeof globalThis.fetch, baseUrl: string) => {
  const response = await fetch(`${baseUrl}/v1/notifications`, { headers })
  const { data } = (await response.json()) as { readonly data?: ReadonlyArray<unknown> }
  return [response.status, data?.length ?? 0]
}

fake.faults.add(Fault.status(503))
const failed = await list(fake.fetch, fake.baseUrl)
const direct = await list(fake.fetch, fake.baseUrl)
const overHttp = await list(globalThis.fetch, server.url)
const unmet = (() => {
  try {
    expectFake(fake).neverRequested("events.list")
    return "met"
  } catch (error) {
    return error instanceof UnmetExpectation
  }
})()
const refused = (() => {
  try {
    createFake({ events: -1 })
    return "accepted"
  } catch (error) {
    return error instanceof RangeError && error.message
  }
})()

console.log(JSON.stringify({ failed, direct, overHttp, unmet, refused }))
