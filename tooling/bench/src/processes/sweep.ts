import { createFake, sweep } from "@signalbox/test-harness"
import { serveRounds } from "../Rounds.ts"

/** A test of three requests. */
const test = async (send: typeof fetch, baseUrl: string, apiKey: string): Promise<void> => {
  for (let request = 0; request < 3; request++) {
    const headers = { authorization: `ApiKey ${apiKey}` }
    const signal = AbortSignal.timeout(1_000)
    await send(`${baseUrl}/v1/notifications`, { headers, signal })
      .then((response) => response.text())
      .catch(() => undefined)
  }
}

const fake = createFake()
const stored = await fake.fetch(`${fake.baseUrl}/v1/notifications`, {
  headers: { authorization: `ApiKey ${fake.apiKey}` }
})
const page = await stored.text()

// The limit of the runtime: real Request, URL and Response objects.
const bareFetch: typeof fetch = async (input, init) => {
  const { signal, url } = new Request(input, init)
  signal.throwIfAborted()
  return new Response(new URL(url).search === "" ? page : "")
}

/** The test with each fault at each of its requests. */
const sweepOnce = () => sweep(({ apiKey, baseUrl, fetch: send }) => test(send, baseUrl, apiKey))
const { cells } = await sweepOnce()

const loop = async () => {
  for (const _ of cells) await test(bareFetch, fake.baseUrl, fake.apiKey)
}

await serveRounds(
  [
    { name: "loop", run: loop },
    { name: "sweep", run: sweepOnce }
  ],
  // A sweep takes longer than a batch of others; V8 compiles it for as long.
  { warmUpMs: 3_000, batchMs: 300 }
)
