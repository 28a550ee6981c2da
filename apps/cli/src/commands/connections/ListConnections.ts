import type { NamedConnection } from "@signalbox/operator/connections/NamedConnection"
import * as Effect from "effect/Effect"
import { readConnections } from "../../connection/Connection.ts"
import type { Listing } from "../../output/Listing.ts"
import { openOutput } from "../../output/Output.ts"
import type { OutputOptions } from "../../output/OutputFlags.ts"
import { Process } from "../../process/Process.ts"

/** Where the key comes from; a command is not shown, since it may quote more than its name. */
const keySource = ({ key }: NamedConnection): string =>
  key._tag === "Environment" ? `variable ${key.variable}` : "command"

const rowOf = (connection: NamedConnection) => {
  const { baseUrl, name, readOnly, theme, vendor } = connection
  return { name, baseUrl, key: keySource(connection), vendor, readOnly, theme }
}

const listing: Listing<ReturnType<typeof rowOf>> = {
  fields: {
    name: { isShort: true },
    baseUrl: { title: "base url" },
    key: {},
    vendor: {},
    readOnly: { title: "read-only", isShort: true },
    theme: {}
  },
  columns: ["name", "baseUrl", "key", "vendor", "readOnly"]
}

/** Lists the connections of the configuration file. */
export const listConnections = Effect.fnUntraced(function* (input: OutputOptions) {
  const output = yield* openOutput(listing, input)
  const { connections, path } = yield* readConnections((yield* Process).environment)
  yield* output.rows(connections.map(rowOf))
  if (connections.length === 0) yield* output.note(`${path} has no connections; add one with signalbox connections add`)
})
