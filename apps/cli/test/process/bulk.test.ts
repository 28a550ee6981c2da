import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { serveFake, type ServedFake } from "../CommandLineTest.ts"

const program = fileURLToPath(new URL("../../dist/main.js", import.meta.url))
const lines = 1500

let served: ServedFake
let folder: string

beforeAll(async () => {
  served = await serveFake({
    data: "empty",
    switches: { "credentials.unknownSubscriber": "create", "credentials.missingIntegration": "store" }
  })
  folder = mkdtempSync(join(tmpdir(), "signalbox-bulk-"))
  const rows = Array.from({ length: lines }, (_, at) => `u_${at},token-${at}\n`)
  writeFileSync(join(folder, "tokens.csv"), `subscriberId,deviceTokens\n${rows.join("")}`)
})

afterAll(async () => {
  rmSync(folder, { recursive: true, force: true })
  await served.close()
})

const start = (args: ReadonlyArray<string>) =>
  spawn(process.execPath, [program, "bulk", ...args], {
    cwd: folder,
    env: { HOME: folder, ...served.environment },
    stdio: ["ignore", "pipe", "pipe"]
  })

const ended = async (child: ReturnType<typeof start>) => {
  let [stdout, stderr] = ["", ""]
  child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text))
  child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text))
  const [code] = await once(child, "close")
  return { code, stdout, stderr }
}

describe("bulk import as a process", () => {
  it("finishes its lines in flight on ctrl-c, and every line is sent once after it was resumed", async () => {
    const first = start(["import", "tokens.csv", "--provider", "fcm", "--yes"])
    const stop = served.fake.journal.subscribe(({ number }) => {
      // A second signal would not let the lines in flight finish.
      if (number === 100 && !first.killed) first.kill("SIGINT")
    })
    const interrupted = await ended(first)
    stop()
    assert.strictEqual(interrupted.code, 130)
    assert.strictEqual(
      interrupted.stderr,
      "Interrupted. The lines in flight are done; continue with: signalbox bulk resume tokens.csv\n"
    )
    const sent = served.fake.journal.entries().length
    assert.isBelow(sent, lines)
    const status = await ended(start(["status", "--fields", "state,succeeded,inDoubt"]))
    assert.deepStrictEqual(JSON.parse(status.stdout), { state: "stopped", succeeded: sent, inDoubt: 0 })
    const resumed = await ended(start(["resume", "--fields", "state,succeeded"]))
    assert.deepStrictEqual([resumed.code, resumed.stdout], [0, `{"state":"finished","succeeded":${lines}}\n`])
    assert.lengthOf(served.fake.journal.entries(), lines)
  })
})
