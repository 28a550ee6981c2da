import { type Client, isSignalboxError, type SignalboxError } from "@signalbox/sdk"
import { Hono } from "hono"

/** The status that a caller of this service gets for each reason. */
const statusOf = (reason: SignalboxError["reason"]): 404 | 409 | 422 | 502 | 503 => {
  switch (reason._tag) {
    case "NotFound":
      return 404
    case "Conflict":
    case "RequestInFlight":
      return 409
    case "InvalidRequest":
    case "Rejected":
    case "PayloadTooLarge":
      return 422
    case "RateLimited":
    case "Timeout":
    case "TransportFailure":
    case "ServerFailure":
    case "ClientClosed":
      return 503
    // The key, the plan or the contract: nothing that a caller of this service can correct.
    default:
      return 502
  }
}

/** A service that stores the device tokens of users. */
export const makeApp = (client: Client): Hono => {
  const app = new Hono()

  app.put("/users/:id/devices/:token", async (context) => {
    const { id, token } = context.req.param()
    await client.credentials.upsert(
      id,
      { providerId: "fcm", credentials: { deviceTokens: [token] } },
      // A caller that disconnects cancels the call.
      { signal: context.req.raw.signal }
    )
    return context.body(null, 204)
  })

  app.onError((error, context) => {
    if (!isSignalboxError(error)) throw error
    // The error contains no API key and no token, so it can be logged.
    console.error(error)
    return context.json({ error: error.reason._tag, maybeStored: error.mayHaveBeenApplied }, statusOf(error.reason))
  })

  return app
}
