import { createClient } from "@signalbox/sdk"
import { createFake, expectFake, Fault } from "@signalbox/test-harness"
import { listen } from "@signalbox/test-harness/server"
import assert from "node:assert/strict"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type TestContext, test } from "node:test"
import { report } from "./report.ts"

const filters = { after: "2020-01-01T00:00:00.000Z", before: new Date(Date.now() - 60_000), limit: 5 }

/** A service with 40 events, a client, and an empty folder. */
const scene = async (context: TestContext) => {
  const fake = createFake({ seed: 7, events: 40 })
  const client = createClient({ apiKey: fake.apiKey, baseUrl: fake.baseUrl, fetch: fake.fetch })
  const folder = await mkdtemp(join(tmpdir(), "nightly-report-"))
  context.after(() => rm(folder, { recursive: true }))
  return { fake, client, inFolder: (name: string) => join(folder, name) }
}

/** The transactions in a report. */
const transactionsIn = async (file: string): Promise<ReadonlyArray<string>> => {
  const lines = (await readFile(file, "utf8")).trim().split("\n")
  return lines.flatMap((line) =>
    JSON.parse(line).failed.map(({ transactionId }: { readonly transactionId: string }) => transactionId)
  )
}

test("reports every failed event once, and nothing in a second run", async (context) => {
  const { client, fake, inFolder } = await scene(context)
  const file = inFolder("failed.ndjson")
  await report(client, file, filters)
  const transactions = await transactionsIn(file)
  assert.ok(transactions.length > 5)
  assert.equal(new Set(transactions).size, transactions.length)

  const requests = fake.journal.entries().length
  await report(client, file, filters)
  assert.equal(fake.journal.entries().length, requests)
  assert.deepEqual(await transactionsIn(file), transactions)
})

test("continues a report that was cut off at any point", async (context) => {
  const { client, inFolder } = await scene(context)
  const file = inFolder("failed.ndjson")
  await report(client, file, filters)
  const whole = await readFile(file)
  for (let bytes = 0; bytes <= whole.length; bytes += 307) {
    const cut = inFolder("cut.ndjson")
    await writeFile(cut, whole.subarray(0, bytes))
    await report(client, cut, filters)
    assert.deepEqual(await transactionsIn(cut), await transactionsIn(file), `cut after ${bytes} bytes`)
  }
})

test("counts events that cannot be read, also those of an earlier run", async (context) => {
  const { client, fake, inFolder } = await scene(context)
  const file = inFolder("failed.ndjson")
  fake.faults.add(Fault.drift({ kind: "missing-field", field: "data[].transactionId", request: 2 }))
  const unreadable = await report(client, file, filters)
  assert.equal(unreadable, 1)
  const [first, second] = (await readFile(file, "utf8")).split("\n").map((line) => line && JSON.parse(line).unreadable)
  assert.deepEqual([first, second], [0, 1])
  assert.equal(await report(client, file, filters), unreadable)
})

test("survives kill -9", async (context) => {
  const { client, fake, inFolder } = await scene(context)
  await report(client, inFolder("expected.ndjson"), filters)
  const server = await listen(fake)
  context.after(() => server.close())

  const program = `import { createClientFromEnv } from "@signalbox/sdk"
    import { report } from "./report.ts"
    await report(createClientFromEnv(), process.argv[1], JSON.parse(process.argv[2]))`
  const file = inFolder("failed.ndjson")
  const start = () =>
    spawn(process.execPath, ["--input-type=module", "--eval", program, file, JSON.stringify(filters)], {
      cwd: import.meta.dirname,
      env: { ...process.env, SIGNALBOX_API_KEY: fake.apiKey, SIGNALBOX_BASE_URL: server.url },
      stdio: ["ignore", "ignore", "inherit"]
    })

  for (const count of [1, 2, 3]) {
    const earlier = fake.journal.entries().length
    const run = start()
    await expectFake(fake).waitFor(({ requests }) => requests.length >= earlier + count, { timeoutMs: 60_000 })
    run.kill("SIGKILL")
    await once(run, "exit")
  }
  const [code] = await once(start(), "exit")
  assert.equal(code, 0)
  assert.deepEqual(await transactionsIn(file), await transactionsIn(inFolder("expected.ndjson")))
})
