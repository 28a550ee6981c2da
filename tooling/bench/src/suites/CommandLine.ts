import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { createFake } from "@signalbox/test-harness"
import { listen } from "@signalbox/test-harness/server"
import { collect, type Rounds } from "../Measure.ts"
import { type Findings, type Row, valueRow } from "../Row.ts"

const program = fileURLToPath(new URL("../../../../apps/cli/dist/main.js", import.meta.url))

const rounds = 15
const newline = 10

/** Peaks of equal runs differ by up to 13 MB: by when garbage is collected, and the machine's load. The least counts. */
const memoryRounds = 3

const eventsOf = { few: 1000, many: 100_000 } as const

/** A program prints its processor time and its highest memory use as its last words on stderr. */
const report = `process.on("exit", () => {
  const { maxRSS, systemCPUTime, userCPUTime } = process.resourceUsage()
  process.stderr.write("\\n@@" + JSON.stringify({ cpu: (systemCPUTime + userCPUTime) / 1000, peak: maxRSS / 1024 }))
})`

const preload = `data:text/javascript,${encodeURIComponent(report)}`

interface Measured {
  readonly cpu: number
  readonly peak: number
  readonly lines: number
}

type Environment = Readonly<Record<string, string | undefined>>

const run = async (words: ReadonlyArray<string>, environment: Environment): Promise<Measured> => {
  const child = spawn(process.execPath, ["--import", preload, ...words], {
    env: { PATH: process.env["PATH"], ...environment },
    stdio: ["ignore", "pipe", "pipe"]
  })
  let lines = 0
  let stderr = ""
  // A long listing is larger than the longest string.
  child.stdout.on("data", (part: Buffer) => (lines += part.filter((byte) => byte === newline).length))
  child.stderr.setEncoding("utf8").on("data", (part: string) => (stderr += part))
  await once(child, "close")
  const { cpu, peak } = JSON.parse(stderr.slice(stderr.lastIndexOf("@@") + 2))
  return { cpu, peak, lines }
}

const served = async (events: number) => {
  const fake = createFake({ seed: 1, events })
  const server = await listen(fake)
  return { environment: { SIGNALBOX_BASE_URL: server.url, SIGNALBOX_API_KEY: fake.apiKey }, close: server.close }
}

/** The processor time of commands, compared with that of a process that does nothing. */
const starts = (measured: Rounds, cases: ReadonlyArray<readonly [string, string]>): ReadonlyArray<Row> => {
  // The least of many rounds: other work on the machine only adds to it.
  const row = (name: string, label: string, baseline?: Row): Row => {
    const lowest = Math.min(...(measured.get(name) ?? []).map(({ cpu = 0 }) => cpu))
    return valueRow(`cli/${name}`, label, "ms", lowest, baseline)
  }
  const empty = row("empty", "an empty process")
  return [empty, ...cases.map(([name, label]) => row(name, label, empty))]
}

const memory = async (environment: Environment, name: "few" | "many"): Promise<Row> => {
  const peaks: Array<number> = []
  for (let round = 0; round < memoryRounds; round += 1) {
    const { lines, peak } = await run([program, "events", "list", "--all", "--quiet"], environment)
    if (lines !== eventsOf[name]) throw new Error(`events list --all printed ${lines} of ${eventsOf[name]} events`)
    peaks.push(peak)
  }
  return valueRow(`cli/memory-${name}`, `peak memory, ${eventsOf[name]} events listed`, "MB", Math.min(...peaks))
}

/** The cost of the command line compared with bare Node, and whether a long listing fills the memory. */
export const commandLine = async (): Promise<Findings> => {
  const folder = await mkdtemp(join(tmpdir(), "signalbox-cli-"))
  const [few, many] = [await served(eventsOf.few), await served(eventsOf.many)]
  try {
    const empty = join(folder, "empty.mjs")
    await writeFile(empty, "")
    const cache = { HOME: folder, XDG_CACHE_HOME: folder }
    const cases: ReadonlyArray<readonly [string, ReadonlyArray<string>]> = [
      ["empty", [empty]],
      ["version", [program, "--version"]],
      ["help", [program, "--help"]],
      ["list", [program, "events", "list", "--limit", "1", "--quiet"]]
    ]
    const environment = { ...cache, ...few.environment }
    // The first start fills the compile cache.
    for (const [, words] of cases) await run(words, environment)
    const measured = await collect(
      rounds,
      cases.map(([name, words]) => async () => {
        const { cpu } = await run(words, environment)
        return { [name]: { wall: cpu, cpu } }
      })
    )
    const low = await memory(environment, "few")
    const high = await memory({ ...cache, ...many.environment }, "many")
    return {
      rows: [
        ...starts(measured, [
          ["version", "signalbox --version"],
          ["help", "signalbox --help"],
          ["list", "signalbox events list, one event"]
        ]),
        low,
        high,
        valueRow("cli/memory-growth", "memory of 100,000 events over 1,000", "MB", high.value - low.value)
      ]
    }
  } finally {
    await few.close()
    await many.close()
    await rm(folder, { recursive: true, force: true })
  }
}
