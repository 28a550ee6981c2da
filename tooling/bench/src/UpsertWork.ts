/**
 * The upserts of the bulk suite, and the client of its runs.
 */
import * as Client from "@signalbox/core/Client"
import * as Connection from "@signalbox/core/Connection"
import * as FetchTransport from "@signalbox/core/FetchTransport"
import type { UpsertInput } from "@signalbox/sdk"
import * as Layer from "effect/Layer"

/** Upserts of one device token each. */
export const upserts = (count: number): ReadonlyArray<UpsertInput> =>
  Array.from({ length: count }, (_, at) => ({
    subscriberId: `u_${at}`,
    providerId: "fcm",
    credentials: { deviceTokens: [`device-token-of-user-${at}`] }
  }))

/** The lines of a file with upserts. */
export const linesOf = (inputs: ReadonlyArray<UpsertInput>): string =>
  inputs.map((input) => `${JSON.stringify(input)}\n`).join("")

/** Calls for all inputs, with a number of them in progress. */
export const inLoop = async (
  inputs: ReadonlyArray<UpsertInput>,
  concurrency: number,
  call: (input: UpsertInput) => Promise<unknown>
): Promise<void> => {
  const left = inputs.values()
  const worker = async () => {
    for (const input of left) await call(input)
  }
  await Promise.all(Array.from({ length: concurrency }, worker))
}

/** The services of core over `fetch`. */
export const clientOver = (baseUrl: string, fetch?: typeof globalThis.fetch) =>
  Client.layerNoDeps.pipe(
    Layer.provide(FetchTransport.layer(fetch)),
    Layer.provide(Layer.orDie(Connection.layer({ apiKey: "key", baseUrl })))
  )
