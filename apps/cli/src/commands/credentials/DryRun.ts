/**
 * The request of a call that is not sent.
 */
import type { Credentials } from "@signalbox/core/Credentials"
import { redact } from "@signalbox/core/Redaction"
import type { UpsertCredentialsError } from "@signalbox/core/Errors"
import * as Effect from "effect/Effect"
import { type Connection, onConnection } from "../../connection/Connection.ts"
import type { Listing } from "../../output/Listing.ts"
import { openOutput } from "../../output/Output.ts"
import type { OutputOptions } from "../../output/OutputFlags.ts"

/** A request without its secrets. */
interface RedactedRequest {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
}

const listing: Listing<RedactedRequest> = {
  fields: {
    method: {},
    url: {},
    body: {}
  },
  names: ["headers"],
  columns: ["method", "url", "body"],
  detail: ({ body, headers, method, url }) =>
    [
      `${method} ${url}`,
      ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
      "",
      JSON.stringify(body, null, 2),
      ""
    ].join("\n")
}

const withoutSecrets = (url: string, { body, headers, method = "GET" }: RequestInit): RedactedRequest => {
  const shown = Object.fromEntries(new Headers(headers))
  return {
    method,
    url,
    headers: { ...shown, ...("authorization" in shown ? { authorization: "ApiKey <redacted>" } : {}) },
    body: typeof body === "string" ? redact(JSON.parse(body)) : undefined
  }
}

/** Runs the client's own pipeline up to the point where the request would be sent, and prints the request. */
export const dryRun = Effect.fnUntraced(function* (
  connection: Connection,
  call: Effect.Effect<unknown, UpsertCredentialsError, Credentials>,
  options: OutputOptions
) {
  const output = yield* openOutput(listing, options)
  let request: RedactedRequest | undefined
  const settings = Effect.map(connection.settings, (given) => ({
    ...given,
    fetch: (url: string | URL | Request, init: RequestInit = {}) => {
      request = withoutSecrets(String(url), init)
      // A response that the client does not retry.
      return Promise.resolve(new Response("{}", { status: 400 }))
    }
  }))
  yield* call.pipe(
    onConnection({ ...connection, settings }),
    Effect.catchTag("UpsertCredentialsError", (error) => (request === undefined ? Effect.fail(error) : Effect.void))
  )
  if (request !== undefined) yield* output.rows([request])
  yield* output.note("Dry run: nothing was sent")
})
