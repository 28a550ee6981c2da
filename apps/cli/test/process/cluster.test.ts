import { folderOfSuite } from "@signalbox/testing/Folder"
import { preload, type Program, startProgram } from "@signalbox/testing/Program"
import { startPostgres, type Postgres } from "@signalbox/postgres/Postgres"
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { serveFake, type ServedFake } from "../CommandLineTest.ts"
import { program } from "../BuiltProgram.ts"

const lines = 400

let served: ServedFake
let postgres: Postgres
const folder = folderOfSuite()
let keys: { readonly inputKey: string; readonly publicKey: string }

const start = (args: ReadonlyArray<string>, environment: Readonly<Record<string, string>> = {}) =>
  startProgram(process.execPath, [program, "bulk", ...args], {
    cwd: folder,
    env: {
      HOME: folder,
      XDG_CONFIG_HOME: join(folder, "config"),
      ...served.environment,
      SIGNALBOX_DATABASE_URL: postgres.url,
      ...environment
    }
  })

const ended = async (started: Program) => {
  const { code, stderr, stdout } = await started.ended
  assert.notMatch(stdout + stderr, /token-\d|password|hunter2/u)
  assert.notInclude(stdout + stderr, postgres.url)
  return { code, stdout, stderr }
}

beforeAll(async () => {
  postgres = await startPostgres(join(tmpdir(), `signalbox-postgres-${process.pid}`))
  served = await serveFake({
    data: "empty",
    switches: { "credentials.unknownSubscriber": "create", "credentials.missingIntegration": "store" }
  })
  const rows = Array.from({ length: lines }, (_, at) => `u_${at},token-${at}\n`)
  writeFileSync(join(folder, "tokens.csv"), `subscriberId,deviceTokens\n${rows.join("")}`)
  keys = JSON.parse((await ended(start(["input-key"]))).stdout)
  mkdirSync(join(folder, "config", "signalbox"), { recursive: true })
  writeFileSync(
    join(folder, "config", "signalbox", "config.toml"),
    `[databases.eu]
databaseUrlEnv = "EU_DATABASE"
inputKeyEnv = "EU_INPUT_KEY"
inputPublicKey = "${keys.publicKey}"
[databases.gone]
databaseUrlEnv = "GONE_DATABASE"
`
  )
})

afterAll(async () => {
  await served.close()
  await postgres.close()
})

describe("bulk runs of a database", () => {
  it("are submitted, done by a worker that finishes on a signal, and reported", async () => {
    const eu = { EU_DATABASE: postgres.url, EU_INPUT_KEY: keys.inputKey }
    const submitted = await ended(
      start(["import", "tokens.csv", "--provider", "fcm", "--database", "eu", "--stage", "--yes"], eu)
    )
    const { id, state } = JSON.parse(submitted.stdout) as { readonly id: string; readonly state: string }
    assert.deepStrictEqual([submitted.code, state], [0, "running"])
    assert.strictEqual(
      submitted.stderr,
      `Workers do the rest. Follow it with: signalbox bulk status ${id} --database eu --wait\n`
    )
    const again = await ended(
      start(["import", "tokens.csv", "--provider", "fcm", "--database", "eu", "--stage", "--yes", "--fields", "id"], eu)
    )
    assert.deepStrictEqual([again.code, again.stdout], [0, `${JSON.stringify({ id })}\n`])
    assert.match(again.stderr, /^Continuing run import-\S+\n/u)
    rmSync(join(folder, "tokens.csv"))

    const worker = start(["worker", "--database", "eu"], eu)
    await worker.printed("stderr", "Stop it with ctrl-c.")
    const watched = await ended(
      start(["status", ".", "--database", "default", "--wait", "--fields", "id,state,succeeded"])
    )
    assert.deepStrictEqual(
      [watched.code, watched.stdout],
      [0, `${JSON.stringify({ id, state: "finished", succeeded: lines })}\n`]
    )
    worker.child.kill("SIGTERM")
    const { code, stderr } = await ended(worker)
    assert.strictEqual(code, 0)
    assert.match(stderr, /^A worker of database "eu" sends to http:\/\/127\.0\.0\.1:\d+\. Stop it with ctrl-c\.\n/u)
    assert.include(stderr, "Finishing the lines in flight; a second signal does not wait for them.\n")

    const report = await ended(start(["report", id, "--database", "default", "--fields", "line,outcome"]))
    assert.strictEqual(
      report.stdout,
      Array.from({ length: lines }, (_, at) => `{"line":${at + 2},"outcome":"succeeded"}\n`).join("")
    )
    // A worker that starts reads one event.
    assert.lengthOf(served.fake.journal.entries(), lines + 1)
  })

  it("are paused while a worker sends them, stay paused, and continue when they are resumed", async () => {
    const count = 3000
    const rows = Array.from({ length: count }, (_, at) => `p_${at},token-${at}\n`)
    writeFileSync(join(folder, "paused.csv"), `subscriberId,deviceTokens\n${rows.join("")}`)
    const command = (...words: ReadonlyArray<string>) =>
      ended(start([...words, "--database", "default", "--fields", "state,inDoubt"]))
    const submit = () => command("import", "paused.csv", "--provider", "fcm", "--yes")
    const writes = () => served.fake.journal.entries().filter(({ path }) => path.includes("/p_")).length
    const worker = start(["worker", "--database", "default"])
    const underWay = new Promise<void>((resolve) => {
      const stop = served.fake.journal.subscribe(({ path }) => {
        if (!path.includes("/p_1")) return
        stop()
        resolve()
      })
    })
    await submit()
    await underWay
    const settled = '{"state":"paused","inDoubt":0}\n'
    for (let shown = ""; shown !== settled;) shown = (await command("pause", "paused.csv")).stdout
    const sent = writes()
    assert.isBelow(sent, count)
    const again = await submit()
    assert.deepStrictEqual([again.code, again.stdout], [9, settled])
    assert.match(
      again.stderr,
      /^signalbox: the run is paused; continue with: signalbox bulk resume import-\S+ --database default\n$/u
    )
    assert.deepStrictEqual([(await command("status", ".", "--wait")).code, writes()], [9, sent])
    assert.strictEqual((await command("resume", "paused.csv")).stdout, settled.replace("paused", "running"))
    assert.strictEqual((await command("status", ".", "--wait")).code, 0)
    assert.strictEqual(writes(), count)
    worker.child.kill("SIGTERM")
    assert.strictEqual((await ended(worker)).code, 0)
  })

  it.skipIf(process.platform === "win32")("report a crash of a worker in one line without secrets", async () => {
    const secrets = [served.fake.apiKey, postgres.url, keys.inputKey, "https://hooks.example.test/T0/abcd"]
    const worker = start(["worker", "--database", "eu"], {
      EU_DATABASE: postgres.url,
      EU_INPUT_KEY: keys.inputKey,
      QUOTED: `cannot read ${secrets.join(" ")} of undefined`,
      ...preload(`process.on("SIGUSR2", () => setImmediate(() => { throw new Error(process.env.QUOTED) }))`)
    })
    await worker.printed("stderr", "Stop it with ctrl-c.")
    worker.child.kill("SIGUSR2")
    const { code, stderr, stdout } = await ended(worker)
    assert.deepStrictEqual([code, stdout], [70, ""])
    assert.match(stderr, /\nsignalbox: internal error: Error: cannot read .* of undefined\. Please report it\.\n$/u)
    for (const secret of secrets) assert.notInclude(stderr, secret)
  })

  it.each([
    [["status", "nope", "--database", "default"], 2, "the database has no run nope"],
    [["cancel", ".", "--database", "default"], 2, /^run import-\S+ is finished$/u],
    [["status", "--database", "gone"], 7, "cannot use the database: it does not respond"],
    [["status", "--database", "eus"], 2, /no database is named "eus"; did you mean eu\? Expected one of: eu, gone$/u],
    [
      ["status", "--database", "eu"],
      2,
      /databases\.eu\.databaseUrlEnv: the environment variable EU_DATABASE is not set$/u
    ],
    [["status", "x.csv", "--wait"], 2, "--wait is for runs of a database; add --database"],
    [["import", "messages.csv", "--stage"], 2, "--stage is for runs of a database; add --database"],
    [["import", "m.csv", "--database", "default", "--journal", "x"], 2, "--journal and --database exclude each other"],
    [
      ["worker", "--database", "default", "--connection", "demo"],
      2,
      "a worker needs a live connection; the demo has none that machines share"
    ]
  ] as const)("explain what is wrong: %j", async (args, code, message) => {
    const failed = await ended(start(args, { GONE_DATABASE: "postgres://ana:hunter2@127.0.0.1:1/bulk" }))
    assert.strictEqual(failed.code, code)
    const line = failed.stderr.replace(/^signalbox: /u, "").trimEnd()
    if (typeof message === "string") assert.strictEqual(line, message)
    else assert.match(line, message)
  })

  it("need no package besides the command line, and load the database client for themselves only", async () => {
    const dist = join(folder, "installed")
    const built = fileURLToPath(new URL("../../dist", import.meta.url))
    cpSync(built, dist, { recursive: true })
    const env = { HOME: folder, SIGNALBOX_DATABASE_URL: postgres.url }
    const words = [join(dist, "main.js"), "bulk", "status", "--database", "default", "--fields", "state"]
    const { code, stderr, stdout } = await ended(startProgram(process.execPath, words, { env }))
    assert.deepStrictEqual([code, stderr, stdout], [0, "", '{"state":"finished"}\n'])
    const loading = readdirSync(built).filter(
      (name) => name.endsWith(".js") && readFileSync(join(built, name), "utf8").includes("PgConnection")
    )
    assert.lengthOf(loading, 1)
  })
})
