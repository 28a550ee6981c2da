import { onTestFinished } from "vitest"
import { type Client, type ClientOptions, createClient } from "../src/index.ts"

/** An answer with this JSON. */
export const json = (body: unknown, init: ResponseInit = {}): Response =>
  new Response(JSON.stringify(body), { ...init, headers: { "content-type": "application/json", ...init.headers } })

export const emptyPage = { data: [], hasMore: false, page: 0, pageSize: 10 }

/** Repeats without delays. */
export const fast = { retry: { baseDelayMs: 0, maxDelayMs: 0 } }

export const upsertion = {
  providerId: "slack",
  credentials: { webhookUrl: "https://hooks.test/services/secret" }
} as const

/** The error that the work rejects with. */
export const rejection = async (work: PromiseLike<unknown>): Promise<unknown> => {
  try {
    await work
  } catch (error) {
    return error
  }
  throw new Error("was expected to reject")
}

/** A client on answers made by hand, closed after the test, and the requests that it sent. */
export const clientOn = (
  answer: (request: Request, count: number) => Response | Promise<Response>,
  options: Partial<ClientOptions> = {}
): { readonly client: Client; readonly sent: ReadonlyArray<Request> } => {
  const sent: Array<Request> = []
  const client = createClient({
    apiKey: "secret-key-of-the-test",
    baseUrl: "http://service.test",
    fetch: async (input, init) => {
      const request = new Request(input instanceof URL ? input.href : input, init)
      sent.push(request)
      return answer(request, sent.length)
    },
    ...options
  })
  onTestFinished(() => client.close())
  return { client, sent }
}
