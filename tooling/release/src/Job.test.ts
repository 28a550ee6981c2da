import { folderOfSuite } from "@signalbox/testing/Folder"
import { startProgram } from "@signalbox/testing/Program"
import { createFake } from "@signalbox/test-harness"
import { listen } from "@signalbox/test-harness/server"
import { assert, describe, it } from "@effect/vitest"
import { type IJob, Job } from "kubernetes-models/batch/v1/Job"
import { spawnSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { parse } from "yaml"
import { command, repository } from "./Repository.ts"

const page = readFileSync(join(repository, "docs", "bulk", "survival.md"), "utf8")

/** The manifest of the page; `validate` rejects what is not one. */
const manifest = (): IJob => parse(/```yaml\n(?<text>[^`]*)```/u.exec(page)?.groups?.["text"] ?? "")

/** The errors of the compiler for a manifest: unlike the schema, the types reject unknown fields. */
const compiled = (job: IJob): string => {
  const folder = mkdtempSync(join(repository, "tooling", "release", "node_modules", "job-"))
  try {
    const file = join(folder, "Job.ts")
    const type = 'import type { IJob } from "kubernetes-models/batch/v1/Job"\n'
    writeFileSync(file, `${type}export const job: IJob = ${JSON.stringify(job)}\n`)
    const options = ["--noEmit", "--ignoreConfig", "--skipLibCheck", "--module", "nodenext", "--types", ""]
    return spawnSync(command("tsc"), [...options, file], { encoding: "utf8" }).stdout
  } finally {
    rmSync(folder, { recursive: true })
  }
}

describe("the Job of docs/bulk/survival.md", () => {
  it("follows the schema of Kubernetes, and has no other fields", () => {
    new Job(manifest()).validate()
    assert.strictEqual(compiled(manifest()), "")
    const changed = (change: object) => {
      const job = manifest()
      Object.assign(job.spec?.template.spec ?? {}, change)
      return job
    }
    assert.throws(() => new Job(changed({ restartPolicy: "onFailure" })).validate(), /restartPolicy/u)
    assert.match(compiled(changed({ volume: [] })), /volume\W+ does not exist/u)
  })

  it("sends each line once, however often it is killed and restarted, and not while it is paused", async () => {
    const lines = 2000
    const folder = folderOfSuite()
    const fake = createFake()
    const environment = fake.environment({
      data: "empty",
      switches: {
        "credentials.unknownSubscriber": "create",
        "credentials.missingIntegration": "store",
        "idempotency.sameBody": "replay"
      }
    })
    await using server = await listen(fake)
    const rows = Array.from({ length: lines }, (_, at) => `job_${at},token-of-job-${at}\n`)
    writeFileSync(join(folder, "tokens.csv"), `subscriberId,deviceTokens\n${rows.join("")}`)

    const [container] = manifest().spec?.template.spec?.containers ?? []
    const inFolder = (text: string) => text.replace("/data", folder)
    const secrets = new Map([["api-key", environment.apiKey]])
    const env = Object.fromEntries(
      (container?.env ?? []).map(({ name, value, valueFrom }) => [
        name,
        value === undefined ? secrets.get(valueFrom?.secretKeyRef?.key ?? "") : inFolder(value)
      ])
    )
    const start = (args: ReadonlyArray<string>) =>
      startProgram(process.execPath, [join(repository, "apps", "cli", "dist", "main.js"), ...args], {
        cwd: "/",
        env: { ...env, SIGNALBOX_BASE_URL: server.url }
      })
    const run = () => start((container?.args ?? []).map(inFolder))
    const file = inFolder("/data/tokens.csv")
    const resume = () => start(["bulk", "resume", file])
    const requests = () => environment.journal.entries().filter(({ method }) => method !== "GET").length
    /** Starts a command, and waits for more requests. */
    const startAndReceive = (begin: typeof run, count: number) => {
      const enough = requests() + count
      return new Promise<ReturnType<typeof run>>((resolve) => {
        const program = begin()
        const stop = environment.journal.subscribe(() => {
          if (requests() < enough) return
          stop()
          resolve(program)
        })
      })
    }
    const kill = async (begin: typeof run) => {
      const killed = await startAndReceive(begin, 200)
      killed.child.kill("SIGKILL")
      assert.isNull((await killed.ended).code)
    }

    await kill(run)
    await kill(run)
    const running = await startAndReceive(run, 200)
    const paused = await start(["bulk", "pause", file, "--fields", "state"]).ended
    assert.deepStrictEqual([paused.code, paused.stdout], [0, '{"state":"paused"}\n'])
    assert.strictEqual((await running.ended).code, 9)
    const sent = requests()
    const restarted = await run().ended
    assert.deepStrictEqual(
      [restarted.code, restarted.stderr],
      [9, `signalbox: the run is paused; continue with: signalbox bulk resume ${file}\n`]
    )
    assert.strictEqual(requests(), sent)
    await kill(resume)
    const finished = await run().ended
    assert.strictEqual(finished.code, 0, finished.stderr)
    const { counts, state } = JSON.parse(finished.stdout)
    assert.deepStrictEqual([state, counts], ["finished", { succeeded: lines, failed: 0, unknown: 0, invalid: 0 }])
    assert.strictEqual((await run().ended).code, 0)
    const tokens = environment
      .state()
      .subscribers.map(({ channels }) => channels.flatMap(({ credentials }) => credentials.deviceTokens ?? []))
    assert.isTrue(tokens.every((each) => each.length === 1))
    assert.lengthOf(tokens, lines)
  })
})
