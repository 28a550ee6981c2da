import { withInfo } from "@signalbox/core/CallInfo"
import { Events } from "@signalbox/core/Events"
import * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import { chooseConnection, onConnection } from "../../connection/Connection.ts"
import type { Listing } from "../../output/Listing.ts"
import { openOutput } from "../../output/Output.ts"
import type { OutputOptions } from "../../output/OutputFlags.ts"

/** A connection that responded. */
interface Checked {
  readonly name: string
  readonly result: "ok"
  readonly baseUrl: string | undefined
  readonly durationMs: number
  readonly readOnly: boolean
  readonly drift: number
  readonly requestId: string | undefined
}

const listing: Listing<Checked> = {
  fields: {
    name: {},
    result: { tone: () => "good", isShort: true },
    baseUrl: { title: "base url" },
    durationMs: { title: "ms", isShort: true },
    readOnly: { title: "read-only", isShort: true },
    drift: { isShort: true },
    requestId: {}
  },
  columns: ["name", "result", "baseUrl", "durationMs", "readOnly"]
}

/** Lists one event, so that address, TLS and key are known to work. */
export const checkConnection = Effect.fnUntraced(function* (
  input: OutputOptions & { readonly name: Option.Option<string> }
) {
  const output = yield* openOutput(listing, input)
  const connection = yield* chooseConnection({ ...input, connection: input.name })
  const { call } = yield* withInfo(Events.use((events) => events.list({ limit: 1 }))).pipe(onConnection(connection))
  const { baseUrl, name, readOnly } = connection
  const { drift, durationMs, requestId } = call
  yield* output.rows([
    { name, result: "ok", baseUrl, durationMs: Math.round(durationMs), readOnly, drift: drift.length, requestId }
  ])
})
