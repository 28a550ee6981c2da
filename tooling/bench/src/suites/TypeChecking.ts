import { execFile } from "node:child_process"
import { createRequire } from "node:module"
import { writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { promisify } from "node:util"
import { reportCpu } from "../Launch.ts"
import { collect } from "../Measure.ts"
import { withPacked } from "../Packed.ts"
import type { Findings } from "../Row.ts"
import { timedRows } from "../Row.ts"

const execute = promisify(execFile)
const require = createRequire(import.meta.url)
const rounds = 21

const compilerOf = (name: string): string => join(dirname(require.resolve(`${name}/package.json`)), "bin", "tsc")

const compilers = { "5.9": compilerOf("typescript-5.9"), "7": compilerOf("typescript") }

/** Makes a process report its own processor time when it ends. */
const reporter = `data:text/javascript,${encodeURIComponent(reportCpu)}`

const consumer = `import { createClient, isSignalboxError, type ActivityNotification } from "@signalbox/sdk"

const client = createClient({ apiKey: "key", baseUrl: "https://api.example.com" })

export const failed = async (subscriberId: string): Promise<ReadonlyArray<ActivityNotification>> => {
  const events: Array<ActivityNotification> = []
  for await (const event of client.events.list({ subscriberIds: subscriberId, severity: "high" })) {
    if (event.jobs?.some(({ executionDetails }) => executionDetails.some(({ status }) => status === "Failed"))) {
      events.push(event)
    }
  }
  return events
}

export const store = (subscriberId: string, token: string): Promise<string> =>
  client.credentials
    .upsert(subscriberId, { providerId: "fcm", credentials: { deviceTokens: [token] } })
    .then(({ updatedAt }) => updatedAt, (error: unknown) => (isSignalboxError(error) ? error.message : "unknown"))
`

const compilerOptions = {
  module: "nodenext",
  target: "es2022",
  lib: ["es2022", "dom", "dom.iterable"],
  types: [],
  noEmit: true,
  strict: true,
  skipLibCheck: true
}

/** Time of `tsc` for an 18-line consumer of the SDK, next to an empty program. */
export const types = (): Promise<Findings> =>
  withPacked(async (folder) => {
    for (const [name, text] of [
      ["empty", "export {}\n"],
      ["consumer", consumer]
    ] as const) {
      await writeFile(join(folder, `${name}.ts`), text)
      await writeFile(join(folder, `tsconfig.${name}.json`), JSON.stringify({ compilerOptions, files: [`${name}.ts`] }))
    }
    await writeFile(join(folder, "package.json"), JSON.stringify({ type: "module" }))
    const check = async (compiler: string, name: string) => {
      const start = performance.now()
      const words = ["--import", reporter, compiler, "-p", `tsconfig.${name}.json`]
      const { stdout } = await execute(process.execPath, words, { cwd: folder })
      const wall = performance.now() - start
      // TypeScript 7 runs a native process, whose processor time is unknown.
      return compiler === compilers["7"] ? { wall } : { wall, cpu: Number(stdout) / 1000 }
    }
    const contestants = Object.entries(compilers).flatMap(([version, compiler]) =>
      (["empty", "consumer"] as const).map((name) => ({ contestant: `${version} ${name}`, compiler, name }))
    )
    const measured = await collect(
      rounds,
      contestants.map(({ compiler, contestant, name }) => async () => ({ [contestant]: await check(compiler, name) }))
    )
    return {
      rows: timedRows(
        measured,
        Object.keys(compilers).flatMap((version) => [
          { id: `types/empty-${version}`, label: `tsc ${version}, empty program`, contestant: `${version} empty` },
          {
            id: `types/consumer-${version}`,
            label: `tsc ${version}, consumer of the SDK`,
            contestant: `${version} consumer`,
            baseline: `types/empty-${version}`
          }
        ])
      )
    }
  })
