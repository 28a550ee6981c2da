import { folderOfSuite } from "@signalbox/testing/Folder"
import { startProgram } from "@signalbox/testing/Program"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { serveFake, type ServedFake } from "../CommandLineTest.ts"
import { program } from "../BuiltProgram.ts"

const lines = 1500

let served: ServedFake
const folder = folderOfSuite()

beforeAll(async () => {
  served = await serveFake({
    data: "empty",
    switches: { "credentials.unknownSubscriber": "create", "credentials.missingIntegration": "store" }
  })
  const rows = Array.from({ length: lines }, (_, at) => `u_${at},token-${at}\n`)
  writeFileSync(join(folder, "tokens.csv"), `subscriberId,deviceTokens\n${rows.join("")}`)
})

afterAll(() => served.close())

const start = (args: ReadonlyArray<string>) =>
  startProgram(process.execPath, [program, "bulk", ...args], {
    cwd: folder,
    env: { HOME: folder, ...served.environment }
  })

describe("bulk import as a process", () => {
  it("finishes its lines in flight on ctrl-c, and every line is sent once after it was resumed", async () => {
    const first = start(["import", "tokens.csv", "--provider", "fcm", "--yes"])
    const stop = served.fake.journal.subscribe(({ number }) => {
      // A second signal would not let the lines in flight finish.
      if (number === 100 && !first.child.killed) first.child.kill("SIGINT")
    })
    const interrupted = await first.ended
    stop()
    assert.strictEqual(interrupted.code, 130)
    // On a slow machine, lines with the progress precede it.
    assert.deepStrictEqual(interrupted.stderr.split("\n").slice(-2), [
      "Interrupted. The lines in flight are done; continue with: signalbox bulk resume tokens.csv",
      ""
    ])
    const sent = served.fake.journal.entries().length
    assert.isBelow(sent, lines)
    const status = await start(["status", "--fields", "state,succeeded,inDoubt"]).ended
    assert.deepStrictEqual(JSON.parse(status.stdout), { state: "stopped", succeeded: sent, inDoubt: 0 })
    const resumed = await start(["resume", "--fields", "state,succeeded"]).ended
    assert.deepStrictEqual([resumed.code, resumed.stdout], [0, `{"state":"finished","succeeded":${lines}}\n`])
    // To continue, a run also reads one event.
    assert.lengthOf(served.fake.journal.entries(), lines + 1)
  })
})
