import { createClient } from "@signalbox/sdk"
import { createFake } from "@signalbox/test-harness"
import assert from "node:assert/strict"
import { existsSync } from "node:fs"
import { mkdtemp, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { test } from "node:test"
import { report } from "./report.ts"

const linesOf = async (folder: string): Promise<ReadonlyArray<string>> =>
  (await readFile(join(folder, "failed.ndjson"), "utf8")).trim().split("\n")

test("continues where it stopped, and reports every failure once", async (context) => {
  const fake = createFake({ seed: 7 })
  const client = createClient({ apiKey: fake.apiKey, baseUrl: fake.baseUrl, fetch: fake.fetch, retry: false })
  const folder = await mkdtemp(join(tmpdir(), "nightly-report-"))
  const expected = await mkdtemp(join(tmpdir(), "nightly-report-"))
  context.after(() => Promise.all([folder, expected].map((path) => rm(path, { recursive: true }))))
  const start = "2020-01-01T00:00:00.000Z"

  await report(client, expected, start)

  // The second page fails, and the run with it.
  let sent = 0
  const failing = createClient({
    apiKey: fake.apiKey,
    baseUrl: fake.baseUrl,
    retry: false,
    fetch: (input, init) => {
      sent += 1
      return sent === 2 ? Promise.resolve(new Response("", { status: 503 })) : fake.fetch(input, init)
    }
  })
  await assert.rejects(report(failing, folder, start), { name: "ListEventsError" })
  assert.ok(existsSync(join(folder, "cursor")))

  await report(client, folder, start)
  assert.deepEqual(await linesOf(folder), await linesOf(expected))
  assert.ok(!existsSync(join(folder, "cursor")))
})
