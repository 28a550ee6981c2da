// In a Next.js application: app/api/users/[id]/notifications/route.ts
import { type Client, createClientFromEnv, isSignalboxError } from "@signalbox/sdk"

// One client for all requests: it keeps the rate limit and the retry quota. Created at the first request, since a build
// has no API key.
let shared: Client | undefined

/** Lists the latest notifications of a user. */
export const GET = async (
  request: Request,
  { params }: { readonly params: Promise<{ readonly id: string }> }
): Promise<Response> => {
  shared ??= createClientFromEnv()
  const { id } = await params
  try {
    const page = await shared.events.list(
      { subscriberIds: [id], limit: 10 },
      // A visitor who leaves cancels the call, and the call takes at most 5 s.
      { signal: request.signal, timeouts: { callMs: 5000 } }
    )
    const notifications = page.data.map(({ _id, createdAt, template }) => ({
      id: _id,
      at: createdAt,
      title: template?.name
    }))
    return Response.json({ notifications })
  } catch (error) {
    if (!isSignalboxError(error)) throw error
    // The error contains no API key, so it can be logged.
    console.error(error)
    return Response.json({ error: error.reason._tag }, { status: error.reason._tag === "RateLimited" ? 503 : 502 })
  }
}
