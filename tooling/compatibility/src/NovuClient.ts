/**
 * A client that was not written here, over the fake.
 */
import { HTTPClient, Novu, type SDKOptions } from "@novu/api"
import { createFake, type EnvironmentOptions, type Fake } from "@signalbox/test-harness"
import { listen } from "@signalbox/test-harness/server"

/** The ways by which a client that knows nothing of the fake reaches it. */
export const surfaces = ["fetch", "server"] as const

/** A client with the fake that it talks to. */
export interface Connected extends AsyncDisposable {
  readonly fake: Fake
  readonly novu: Novu
}

/** Its own backoff waits half a second and more; as many attempts in less time behave the same. */
export const briefly = {
  strategy: "backoff",
  backoff: { initialInterval: 1, maxInterval: 5, exponent: 1, maxElapsedTime: 3_600_000 },
  retryConnectionErrors: true
} as const

/** Connects the client to a fake that plays its vendor. */
export const connect = async (
  surface: (typeof surfaces)[number],
  options: EnvironmentOptions = {},
  clientOptions: SDKOptions = {}
): Promise<Connected> => {
  const fake = createFake({ vendor: "novu", preset: "observed", data: "empty", ...options })
  const settings: SDKOptions = { secretKey: fake.apiKey, retryConfig: briefly, ...clientOptions }
  if (surface === "fetch") {
    const httpClient = new HTTPClient({ fetcher: fake.fetch })
    const novu = new Novu({ ...settings, serverURL: fake.baseUrl, httpClient })
    return { fake, novu, [Symbol.asyncDispose]: () => Promise.resolve() }
  }
  const server = await listen(fake)
  const novu = new Novu({ ...settings, serverURL: server.url })
  return { fake, novu, [Symbol.asyncDispose]: server.close }
}
