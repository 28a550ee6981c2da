/**
 * The large proof: 100,000 lines, 20 kills. `pnpm --filter @signalbox/bulk proof [lines kills seed]`
 */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { importWithCrashes } from "./Crashes.ts"

const [lines = 100_000, kills = 20, seed = 1] = process.argv.slice(2).map(Number)
const folder = mkdtempSync(join(tmpdir(), "bulk-proof-"))
const startedAt = performance.now()

try {
  const { applied, report, requests, status } = await importWithCrashes({
    folder,
    lines,
    kills,
    seed,
    honoursKeys: true
  })
  const notOnce = applied.filter((times) => times !== 1).length
  const reported = new Set(report.map(({ line }) => line)).size
  const succeeded = report.filter(({ outcome }) => outcome === "succeeded").length
  console.log(`${lines} lines, ${kills} kills, seed ${seed}: ${Math.round((performance.now() - startedAt) / 1000)} s`)
  console.log(`${requests} requests; ${lines - notOnce} lines applied exactly once`)
  console.log(`${report.length} outcomes of ${reported} lines, ${succeeded} succeeded; the run is ${status.state}`)
  if (notOnce > 0 || report.length !== lines || reported !== lines || succeeded !== lines) process.exitCode = 1
} finally {
  rmSync(folder, { recursive: true, force: true })
}
