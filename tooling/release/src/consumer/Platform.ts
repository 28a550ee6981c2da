// A program about calls on a platform, over the platform's own `fetch`. Each platform runs it with the addresses of
// servers of the test.
import { createClient, isSignalboxError, type SignalboxError } from "@signalbox/sdk"

/** The addresses of the servers, and the key of the fake. */
export interface Places {
  readonly apiKey: string
  readonly fake: string
  /** Breaks a connection after it read the second request on it. */
  readonly breaking: string
  /** No server. */
  readonly refusing: string
  readonly redirecting: string
}

const errorOf = async (call: PromiseLike<unknown>): Promise<SignalboxError> => {
  try {
    await call
  } catch (error) {
    if (isSignalboxError(error)) return error
    throw error
  }
  throw new Error("succeeded")
}

const deliveryOf = ({ mayHaveBeenApplied, message, reason }: SignalboxError) => ({
  delivery: reason._tag === "TransportFailure" ? reason.delivery : reason._tag,
  mayHaveBeenApplied,
  message
})

export const run = async ({ apiKey, breaking, fake, redirecting, refusing }: Places) => {
  const clientOf = (baseUrl: string) => createClient({ apiKey, baseUrl, retry: { maxRetries: 0 } })
  const tokens = { providerId: "fcm", credentials: { deviceTokens: ["token"] } } as const

  const ofFake = clientOf(fake)
  let walked = 0
  for await (const event of ofFake.events.list({ limit: 10 })) if (event._id !== "") walked += 1
  const { data } = await ofFake.events.list({ limit: 1 })
  const upserted = await ofFake.credentials.upsert(data[0]?.subscriber?.subscriberId ?? "", tokens)
  const tooMany = await errorOf(ofFake.events.list({ limit: 51 }))

  const ofBreaking = clientOf(breaking)
  const upsertAfterList = async () => {
    await ofBreaking.events.list()
    // Platforms reuse a connection some time after the response, which takes longer on a busy machine.
    await new Promise((resolve) => setTimeout(resolve, 20))
    return ofBreaking.credentials.upsert.result("ada", tokens)
  }
  let broken = await upsertAfterList()
  for (let tries = 1; tries < 50 && broken.ok && broken.value.subscriberId === "new-connection"; tries += 1) {
    broken = await upsertAfterList()
  }

  const refused = await errorOf(clientOf(refusing).credentials.upsert("ada", tokens))
  const redirected = await errorOf(clientOf(redirecting).events.list())
  return {
    walked,
    upserted: upserted.channels?.length !== 0,
    tooMany: tooMany.reason._tag,
    broken: broken.ok ? "success" : broken.error.message,
    refused: deliveryOf(refused),
    redirected: { reason: redirected.reason._tag, message: redirected.message, status: redirected.status }
  }
}
