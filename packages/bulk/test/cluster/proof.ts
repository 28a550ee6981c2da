/**
 * The large proof on PostgreSQL: workers are killed, 20 times, while they share a run.
 * `pnpm --filter @signalbox/bulk proof:cluster [lines kills]`
 */
import { setTimeout } from "node:timers/promises"
import { honoursKeys, openSwitches, tokenLines, tokensBySubscriber, write } from "../TestService.ts"
import { startFleet } from "./Fleet.ts"

const [lines = 100_000, kills = 20] = process.argv.slice(2).map(Number)
const startedAt = performance.now()
const fleet = await startFleet(200)

try {
  const environment = fleet.fake.environment({ data: "empty", switches: { ...openSwitches, ...honoursKeys } })
  let requests = 0
  environment.journal.subscribe(({ number }) => {
    requests = Math.max(requests, number)
  })
  const file = write(fleet.folder, "tokens.ndjson", tokenLines(lines))
  const run = await fleet.submit({ input: file, serviceHonoursKeys: true })
  await fleet.startWorkers(3, environment)
  for (let kill = 1; kill <= kills; kill++) {
    // By requests, so that each worker that is killed has work, however fast the machine is.
    const isDue = () => requests >= (kill * lines) / (kills + 1)
    while (!isDue()) await setTimeout(20)
    await fleet.endWorkers(1, "SIGKILL")
    await fleet.startWorkers(1, environment)
  }
  const { counts, state } = await fleet.until(run, (known) => known.state === "finished")
  const report = await fleet.report(run)
  const tokens = tokensBySubscriber(environment)
  const once = [...tokens.values()].filter((each) => each.length === 1).length
  const isOrdered = report.every(({ line }, at) => line === at + 1)
  console.log(`${lines} lines, ${kills} kills: ${Math.round((performance.now() - startedAt) / 1000)} s`)
  console.log(`${requests} requests; ${once} lines applied exactly once`)
  console.log(`${report.length} outcomes, ${counts.succeeded} succeeded; the run is ${state}`)
  if (once !== lines || tokens.size !== lines || report.length !== lines || !isOrdered || counts.succeeded !== lines) {
    process.exitCode = 1
  }
} finally {
  await fleet.close()
}
