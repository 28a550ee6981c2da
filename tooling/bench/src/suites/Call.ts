import { join } from "node:path"
import { withPacked } from "../Packed.ts"
import { collectWithAndWithoutJit } from "../Rounds.ts"
import type { Report, TimedRow } from "../Row.ts"
import { timedRows } from "../Row.ts"
import { startServer } from "../ServerProcess.ts"

const rounds = 25
const program = new URL("../processes/call.ts", import.meta.url)
const pageServer = new URL("../processes/pageServer.ts", import.meta.url)

const rowsFor = (events: number): ReadonlyArray<TimedRow> => {
  const row = (id: string, label: string, process: "plain" | "jit", name: string): TimedRow => ({
    id: `call/${id}-${events}`,
    label: `${label}, ${events} events`,
    contestant: `${process} ${name} ${events}`,
    baseline: { id: `call/fetch-${events}`, contestant: `${process} fetch ${events}` }
  })
  return [
    {
      id: `call/fetch-${events}`,
      label: `bare fetch + JSON.parse, ${events} events`,
      contestant: `plain fetch ${events}`
    },
    row("core", "core", "plain", "core"),
    row("core-jit", "core, JIT", "jit", "core"),
    row("core-http", "core over HttpClient", "plain", "http"),
    row("core-http-jit", "core over HttpClient, JIT", "jit", "http"),
    row("sdk", "sdk", "plain", "sdk"),
    row("sdk-node", "sdk/node, over undici", "plain", "undici"),
    row("novu", "@novu/api", "plain", "novu")
  ]
}

const upsertRows: ReadonlyArray<TimedRow> = [
  { id: "call/fetch-upsert", label: "bare fetch + JSON.parse, an upsert", contestant: "plain fetch upsert" },
  {
    id: "call/sdk-upsert",
    label: "sdk, an upsert",
    contestant: "plain sdk upsert",
    baseline: { id: "call/fetch-upsert", contestant: "plain fetch upsert" }
  },
  {
    id: "call/sdk-node-upsert",
    label: "sdk/node, over undici, an upsert",
    contestant: "plain undici upsert",
    baseline: { id: "call/fetch-upsert", contestant: "plain fetch upsert" }
  }
]

/** One call after the other against fixed responses on loopback; the server runs in its own process. */
export const call = (): Promise<Report> =>
  withPacked(async (folder) => {
    const server = await startServer(pageServer)
    try {
      const dist = join(folder, "node_modules", "@signalbox", "sdk", "dist")
      const words = [server.baseUrl, join(dist, "index.js"), join(dist, "node.js")]
      const measured = await collectWithAndWithoutJit(rounds, program, words)
      return {
        suite: "call",
        rows: timedRows(measured, [...[10, 50].flatMap(rowsFor), ...upsertRows]),
        observations: []
      }
    } finally {
      server.close()
    }
  })
