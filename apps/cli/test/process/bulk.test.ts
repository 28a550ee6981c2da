import { folderOfSuite } from "@signalbox/testing/Folder"
import { startProgram } from "@signalbox/testing/Program"
import { mkdirSync, writeFileSync } from "node:fs"
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

const start = (args: ReadonlyArray<string>, env: NodeJS.ProcessEnv = served.environment) =>
  startProgram(process.execPath, [program, "bulk", ...args], { cwd: folder, env: { HOME: folder, ...env } })

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

  it("is of the environment that accepted its lines, whatever the connections are called", async () => {
    const environmentOf = (seed: number) =>
      served.fake.environment({
        seed,
        events: 3,
        switches: { "credentials.unknownSubscriber": "create", "credentials.missingIntegration": "store" }
      })
    const [prod, other] = [environmentOf(1), environmentOf(2)]
    const keys = { mistyped: "wrong-key-5f2d", prod: prod.apiKey, eu: prod.apiKey, other: other.apiKey }
    mkdirSync(join(folder, ".config", "signalbox"), { recursive: true })
    writeFileSync(
      join(folder, ".config", "signalbox", "config.toml"),
      Object.keys(keys)
        .map((name) => `[connections.${name}]\nbaseUrl = "${served.url}"\napiKeyEnv = "KEY_OF_${name}"\n`)
        .join("\n")
    )
    writeFileSync(join(folder, "few.csv"), "subscriberId,deviceTokens\nu_1,token-1\nu_2,token-2\n")
    const env = Object.fromEntries(Object.entries(keys).map(([name, key]) => [`KEY_OF_${name}`, key]))
    const importOver = (connection: string) =>
      start(
        ["import", "few.csv", "--provider", "fcm", "--yes", "-c", connection, "--fields", "connection,succeeded"],
        env
      ).ended
    assert.strictEqual((await importOver("mistyped")).code, 3)
    const sent = '{"connection":"prod","succeeded":2}\n'
    const continued = await importOver("prod")
    assert.deepStrictEqual([continued.code, continued.stdout], [0, sent])
    for (const name of ["prod", "eu"]) {
      const again = await importOver(name)
      assert.deepStrictEqual([again.code, again.stdout], [0, sent])
      assert.match(again.stderr, /^run import-\S+ of few\.csv is finished; nothing was sent\./u)
    }
    const elsewhere = await importOver("other")
    assert.strictEqual(elsewhere.code, 2)
    assert.match(
      elsewhere.stderr.replaceAll(served.url, "URL"),
      /^signalbox: run import-\S+ sent few\.csv to "prod" \(URL\), environment (\w{24}), not to "other" \(URL\), environment (?!\1)\w{24}; to send it there too, add --again\n$/u
    )
    const writes = (environment: typeof prod) =>
      environment.journal.entries().filter(({ method }) => method !== "GET").length
    assert.deepStrictEqual([writes(prod), writes(other)], [2, 0])
  })
})
