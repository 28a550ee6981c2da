import { join } from "node:path"
import { withPacked } from "../Packed.ts"
import { collectApart } from "../Rounds.ts"
import type { Report, TimedRow } from "../Row.ts"
import { timedRows } from "../Row.ts"
import { startServer } from "../ServerProcess.ts"

const sizes = { processes: 3, rounds: 5 }
const program = new URL("../processes/call.ts", import.meta.url)
const pageServer = new URL("../processes/pageServer.ts", import.meta.url)

type Work = 10 | 50 | "upsert"

const whatOf = (work: Work): string => (work === "upsert" ? "an upsert" : `${work} events`)

const idOf = (id: string, work: Work): string => `call/${id}-${work}`

/** A row over bare `fetch`, for which the JIT makes no difference. */
const rowOf = (id: string, label: string, contestant: string, work: Work): TimedRow => ({
  id: idOf(id, work),
  label: `${label}, ${whatOf(work)}`,
  contestant: `${contestant} ${work}`,
  baseline: { id: idOf("fetch", work), contestant: `plain fetch ${work}` }
})

const rowsFor = (work: Work): ReadonlyArray<TimedRow> => {
  const fetchRow: TimedRow = {
    id: idOf("fetch", work),
    label: `bare fetch + JSON.parse, ${whatOf(work)}`,
    contestant: `plain fetch ${work}`
  }
  const sdkRows = [
    rowOf("sdk", "sdk", "plain sdk", work),
    rowOf("sdk-node", "sdk/node, over undici", "plain undici", work)
  ]
  if (work === "upsert") return [fetchRow, ...sdkRows]
  return [
    fetchRow,
    rowOf("core", "core", "plain core", work),
    rowOf("core-jit", "core, JIT", "jit core", work),
    rowOf("core-http", "core over HttpClient", "plain http", work),
    rowOf("core-http-jit", "core over HttpClient, JIT", "jit http", work),
    ...sdkRows,
    rowOf("novu", "@novu/api", "plain novu", work)
  ]
}

/** The words for the process of a row's contestant. */
const contestantOf = ({ contestant }: TimedRow, common: ReadonlyArray<string>) => {
  const [prefix = "", client = "", work = ""] = contestant.split(" ")
  return { prefix, words: [...common, client, work, ...(prefix === "jit" ? ["--jit"] : [])] }
}

/** One call after the other against fixed responses on loopback; server and contestants run in processes of their own. */
export const call = (): Promise<Report> =>
  withPacked(async (folder) => {
    const server = await startServer(pageServer)
    try {
      const dist = join(folder, "node_modules", "@signalbox", "sdk", "dist")
      const common = [server.baseUrl, join(dist, "index.js"), join(dist, "node.js")]
      const rows: Array<Report["rows"][number]> = []
      for (const work of [10, 50, "upsert"] as const) {
        const timed = rowsFor(work)
        const measured = await collectApart(
          sizes,
          program,
          timed.map((row) => contestantOf(row, common))
        )
        rows.push(...timedRows(measured, timed))
      }
      return { suite: "call", rows, observations: [] }
    } finally {
      server.close()
    }
  })
