import { type CallInfo, withInfo } from "@signalbox/core/CallInfo"
import { Events } from "@signalbox/core/Events"
import * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import { chooseConnection, type Connection, onConnection } from "../../connection/Connection.ts"
import type { Listing } from "../../output/Listing.ts"
import { openOutput } from "../../output/Output.ts"
import type { OutputOptions } from "../../output/OutputFlags.ts"

/** A connection that responded. */
interface Checked {
  readonly connection: Connection
  readonly call: CallInfo
}

const listing: Listing<Checked> = {
  fields: {
    name: { value: ({ connection }) => connection.name },
    result: { value: () => "ok", tone: () => "good", isShort: true },
    baseUrl: { title: "base url", value: ({ connection }) => connection.baseUrl ?? null },
    durationMs: { title: "ms", value: ({ call }) => Math.round(call.durationMs), isShort: true },
    readOnly: { title: "read-only", value: ({ connection }) => connection.readOnly, isShort: true },
    drift: { value: ({ call }) => call.drift.length, isShort: true }
  },
  columns: ["name", "result", "baseUrl", "durationMs", "readOnly"],
  record: ({ call, connection }) => ({
    name: connection.name,
    result: "ok",
    baseUrl: connection.baseUrl,
    durationMs: Math.round(call.durationMs),
    readOnly: connection.readOnly,
    drift: call.drift.length,
    requestId: call.requestId
  })
}

/** Lists one event, so that address, TLS and key are known to work. */
export const checkConnection = Effect.fnUntraced(function* (
  input: OutputOptions & { readonly name: Option.Option<string> }
) {
  const output = yield* openOutput(listing, input)
  const connection = yield* chooseConnection({ ...input, connection: input.name })
  const { call } = yield* withInfo(Events.use((events) => events.list({ limit: 1 }))).pipe(onConnection(connection))
  yield* output.rows([{ connection, call }])
})
