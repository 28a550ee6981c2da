import { folderOfSuite } from "@signalbox/testing/Folder"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { type Postgres, startPostgres } from "@signalbox/postgres/Postgres"
import { createFake, Fault } from "@signalbox/test-harness"
import { listen } from "@signalbox/test-harness/server"
import { PgBoss } from "pg-boss"
import { fork } from "node:child_process"
import { once } from "node:events"
import { readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"

const page = readFileSync(new URL("../../../docs/bulk/pg-boss.md", import.meta.url), "utf8")
const lines = 450

const folder = folderOfSuite()
let postgres: Postgres

/** The code of the page, for a service and a file. */
const programFor = (baseUrl: string, file: string): string => {
  const code = /^```ts\n(.*?)^```$/msu.exec(page)?.[1] ?? ""
  const own = code.replace("https://api.example.com", baseUrl).replace("/shared/tokens.ndjson", file)
  assert.include(own, baseUrl)
  assert.include(own, file)
  return own
}

beforeAll(async () => {
  postgres = await startPostgres(join(tmpdir(), `pg-boss-postgres-${process.pid}`))
})

afterAll(async () => {
  await postgres.close()
})

describe("the page about pg-boss", () => {
  it("has code that applies every line once, although a job fails and the run is planned twice", async () => {
    const fake = createFake({
      data: "empty",
      switches: {
        "credentials.unknownSubscriber": "create",
        "credentials.missingIntegration": "store",
        "idempotency.sameBody": "replay"
      }
    })
    fake.faults.add(Fault.status(401, { request: 100 }))
    await using server = await listen(fake)
    const file = join(folder, "tokens.ndjson")
    const line = (at: number) => ({
      subscriberId: `u_${at}`,
      providerId: "fcm",
      credentials: { deviceTokens: [`t_${at}`] }
    })
    writeFileSync(file, Array.from({ length: lines }, (_, at) => `${JSON.stringify(line(at))}\n`).join(""))
    symlinkSync(new URL("../node_modules", import.meta.url), join(folder, "node_modules"))
    const program = join(folder, "import.ts")
    writeFileSync(program, `${programFor(server.url, file)}\nprocess.send?.("working")\n`)
    const boss = new PgBoss(postgres.url)
    boss.on("error", () => {})
    await boss.start()

    const run = async (): Promise<void> => {
      const env = { ...process.env, SIGNALBOX_API_KEY: fake.apiKey, DATABASE_URL: postgres.url }
      const worker = fork(program, { env })
      await once(worker, "message")
      while ((await boss.findJobs("bulk-import")).some(({ state }) => state !== "completed")) await setTimeout(100)
      worker.kill()
      await once(worker, "exit")
    }
    await run()
    const requests = fake.journal.entries().length
    await run()

    const jobs = await boss.findJobs("bulk-import")
    await boss.stop()
    assert.sameMembers(
      jobs.map(({ retryCount }) => retryCount),
      [0, 0, 1]
    )
    assert.lengthOf(fake.journal.entries(), requests)
    const tokens = fake
      .state()
      .subscribers.map(({ channels }) => channels.flatMap(({ credentials }) => credentials.deviceTokens))
    assert.lengthOf(tokens, lines)
    assert.isTrue(tokens.every(({ length }) => length === 1))
  })
})
