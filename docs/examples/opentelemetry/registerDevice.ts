import { SpanStatusCode, trace } from "@opentelemetry/api"
import type { Client } from "@signalbox/sdk"

/** Stores a device token, as one span of this service. The span of the client becomes its child. */
export const registerDevice = (client: Client, userId: string, token: string): Promise<void> =>
  trace.getTracer("devices").startActiveSpan("register device", async (span) => {
    try {
      await client.credentials.upsert(userId, { providerId: "fcm", credentials: { deviceTokens: [token] } })
    } catch (error) {
      span.setStatus({ code: SpanStatusCode.ERROR })
      throw error
    } finally {
      span.end()
    }
  })
