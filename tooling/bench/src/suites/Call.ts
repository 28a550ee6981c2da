import { join } from "node:path"
import { withPacked } from "../Packed.ts"
import { collectApart } from "../Rounds.ts"
import type { Findings, TimedRow } from "../Row.ts"
import { timedRows } from "../Row.ts"
import { startServer } from "../ServerProcess.ts"

const sizes = { processes: 3, rounds: 5 }
const program = new URL("../processes/call.ts", import.meta.url)
const pageServer = new URL("../processes/pageServer.ts", import.meta.url)

type Work = 10 | 50 | "upsert"

const whatOf = (work: Work): string => (work === "upsert" ? "an upsert" : `${work} events`)

const idOf = (id: string, work: Work): string => `call/${id}-${work}`

/** A row over bare `fetch`; the words of its contestant are what the process is started with. */
const rowOf = (id: string, label: string, client: string, work: Work): TimedRow => ({
  id: idOf(id, work),
  label: `${label}, ${whatOf(work)}`,
  contestant: `${client} ${work}`,
  ...(client === "fetch" ? {} : { baseline: idOf("fetch", work) })
})

const rowsFor = (work: Work): ReadonlyArray<TimedRow> => {
  const own = [
    rowOf("fetch", "bare fetch + JSON.parse", "fetch", work),
    rowOf("sdk", "sdk", "sdk", work),
    rowOf("sdk-node", "sdk/node, over undici", "undici", work)
  ]
  if (work === "upsert") return own
  return [
    ...own,
    rowOf("core", "core", "core", work),
    rowOf("novu", "@novu/api", "novu", work),
    rowOf("knock", "@knocklabs/node", "knock", work),
    rowOf("stripe", "stripe", "stripe", work)
  ]
}

/** One call after the other against fixed responses on loopback; server and contestants run in processes of their own. */
export const call = (): Promise<Findings> =>
  withPacked(async (folder) => {
    const server = await startServer(pageServer)
    try {
      const dist = join(folder, "node_modules", "@signalbox", "sdk", "dist")
      const common = [server.baseUrl, join(dist, "index.js"), join(dist, "node.js")]
      const rows: Array<Findings["rows"][number]> = []
      for (const work of [10, 50, "upsert"] as const) {
        const timed = rowsFor(work)
        const measured = await collectApart(
          sizes,
          program,
          timed.map(({ contestant }) => [...common, ...contestant.split(" ")])
        )
        rows.push(...timedRows(measured, timed))
      }
      return { rows }
    } finally {
      server.close()
    }
  })
