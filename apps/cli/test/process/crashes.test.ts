import { folderOfTest } from "@signalbox/testing/Folder"
import { preload, startProgram } from "@signalbox/testing/Program"
import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterEach, assert, beforeEach, describe, it } from "@effect/vitest"
import { Fault } from "@signalbox/test-harness"
import { serveFake, type ServedFake } from "../CommandLineTest.ts"
import { program } from "../BuiltProgram.ts"

const tokens = "dGhpcy1pcy1hLXRva2Vu:of_a-device"
const webhook = "https://hooks.example.test/T0/abcd"

let served: ServedFake
let folder: string

beforeEach(async () => {
  folder = folderOfTest()
  served = await serveFake({
    data: "empty",
    switches: { "credentials.unknownSubscriber": "create", "credentials.missingIntegration": "store" }
  })
})

afterEach(() => served.close())

/** The secrets that an error of a program may quote. */
const secrets = () => [served.fake.apiKey, Buffer.from(served.fake.apiKey).toString("base64"), tokens, webhook]

/** Starts a command in which this code runs when it receives SIGUSR2. */
const start = (args: ReadonlyArray<string>, code: string) =>
  startProgram(process.execPath, [program, ...args], {
    cwd: folder,
    env: {
      HOME: folder,
      QUOTED: `cannot read ${secrets().join(" ")} of undefined`,
      ...preload(`process.on("SIGUSR2", () => setImmediate(() => { ${code} }))`),
      ...served.environment
    }
  })

const report =
  "signalbox: internal error: Error: cannot read <redacted> <redacted> <redacted> <redacted> of undefined. Please report it.\n"

/** Waits until the fake has received this many requests. */
const received = (count: number) =>
  new Promise<void>((resolve) => {
    const stop = served.fake.journal.subscribe(({ number }) => {
      if (number < count) return
      stop()
      resolve()
    })
  })

describe.skipIf(process.platform === "win32")("a crash", () => {
  it.each([["throw new Error(process.env.QUOTED)"], ["Promise.reject(new Error(process.env.QUOTED))"]])(
    "by %s ends a command with 70 and one line without secrets",
    async (code) => {
      served.fake.faults.add(Fault.latency(3_600_000))
      const first = received(1)
      const { child, ended } = start(["events", "list"], code)
      await first
      child.kill("SIGUSR2")
      assert.deepStrictEqual(await ended, { code: 70, stdout: "", stderr: report })
    }
  )

  it("of a bulk run loses no line and sends none twice, and its journal has no secrets", async () => {
    const lines = 300
    const rows = Array.from({ length: lines }, (_, at) => `u_${at},${tokens}-${at}\n`)
    writeFileSync(join(folder, "tokens.csv"), `subscriberId,deviceTokens\n${rows.join("")}`)
    const some = received(50)
    const crashed = start(
      // Without lines with the progress, which a slow machine would show.
      ["bulk", "import", "tokens.csv", "--provider", "fcm", "--yes", "--quiet"],
      "throw new Error(process.env.QUOTED)"
    )
    await some
    crashed.child.kill("SIGUSR2")
    const { code, stderr } = await crashed.ended
    assert.deepStrictEqual([code, stderr], [70, report])
    const inFlight = served.fake.journal.entries().length
    assert.isBelow(inFlight, lines)

    const resumed = await start(["bulk", "resume", "tokens.csv"], "").ended
    const written = readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name !== "tokens.csv")
      .map((entry) => readFileSync(join(entry.parentPath, entry.name), "utf8"))
    assert.isNotEmpty(written)
    const shown = [...written, resumed.stdout, resumed.stderr].join("\n")
    for (const secret of [...secrets(), "T0/abcd"]) assert.notInclude(shown, secret)
    // Calls in flight may have been applied: their outcome is unknown, and they are not sent again.
    const { succeeded, unknown } = JSON.parse(resumed.stdout).counts
    assert.strictEqual(succeeded + unknown, lines)
    const applied = served.fake.journal.entries().filter((entry) => entry.applied)
    assert.isAtLeast(applied.length, succeeded)
    assert.strictEqual(new Set(applied.map(({ subscriberId }) => subscriberId)).size, applied.length)
  })
})
