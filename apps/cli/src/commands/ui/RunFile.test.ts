import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterEach, assert, beforeEach, describe, it } from "@effect/vitest"
import { Fault } from "@signalbox/test-harness"
import { folderOfTest } from "@signalbox/testing/Folder"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { vi } from "vitest"
import { makeTestProcess, serveFake, type ServedFake } from "../../../test/CommandLineTest.ts"
import { chooseConnection, onConnection } from "../../connection/Connection.ts"
import { Process } from "../../process/Process.ts"
import { runFile } from "./RunFile.ts"

let served: ServedFake
let file: string

beforeEach(async () => {
  served = await serveFake({
    data: "empty",
    switches: { "credentials.unknownSubscriber": "create", "credentials.missingIntegration": "store" }
  })
  const folder = folderOfTest()
  vi.stubEnv("XDG_STATE_HOME", folder)
  file = join(folder, "changes.ndjson")
})

afterEach(() => {
  vi.unstubAllEnvs()
  return served.close()
})

const lineOf = (subscriberId: string, deviceTokens: unknown) =>
  `${JSON.stringify({ subscriberId, providerId: "fcm", credentials: { deviceTokens } })}\n`

const people = (...ids: ReadonlyArray<string>) => ids.map((id) => lineOf(id, [`token-of-${id}`])).join("")

/** Runs the file as the terminal UI does, and returns its counts or its error, the lines, and what the progress named. */
const runIt = (connectionName = "eu", service = served.url, isDemo = false) =>
  Effect.gen(function* () {
    const connection = yield* chooseConnection({ connection: Option.none(), timeout: Option.none(), debug: false })
    const place = { connection: connectionName, service, isDemo, apiKey: Redacted.make(served.fake.apiKey) }
    const lines: Array<unknown> = []
    let progresses = 0
    const outcome = yield* runFile(file, place, (report) => {
      lines.push(...(report.lines ?? []))
      if (report.progress !== undefined) progresses += 1
    }).pipe(
      onConnection(connection),
      Effect.map(({ counts }) => counts),
      Effect.catch(({ message }) => Effect.succeed(message))
    )
    return { outcome, lines, hasProgress: progresses > 0 }
  }).pipe(Effect.provideService(Process, makeTestProcess({ environment: served.environment }).process))

describe("a file of the terminal UI", () => {
  it.live("is imported; lines that failed are returned", () =>
    Effect.gen(function* () {
      writeFileSync(file, people("u_1", "u_2", "u_3"))
      served.fake.faults.add(Fault.status(404, { times: 1, body: { message: "no" } }))
      const { hasProgress, lines, outcome } = yield* runIt()
      assert.deepStrictEqual([outcome, hasProgress], [{ succeeded: 2, failed: 1, unknown: 0, invalid: 0 }, true])
      assert.deepStrictEqual(lines, [{ line: 1, outcome: "failed", message: "404 Not Found: no" }])
    })
  )

  it.live("sends nothing where lines are invalid, and names them", () =>
    Effect.gen(function* () {
      writeFileSync(file, `${people("u_1")}${lineOf("u_2", 7)}{\n`)
      const { lines, outcome } = yield* runIt()
      assert.match(String(outcome), /^invalid lines: 2 of 3; nothing was sent\. .+:2:72: credentials\.deviceTokens: /u)
      assert.deepStrictEqual(lines, [
        { line: 2, outcome: "invalid", message: "credentials.deviceTokens: Expected an array of strings" },
        { line: 3, outcome: "invalid", message: "Expected JSON" }
      ])
    })
  )

  it.live("continues after a stop, and is not sent twice unless a command says so", () =>
    Effect.gen(function* () {
      writeFileSync(file, people("u_1", "u_2"))
      served.fake.faults.add(Fault.status(401))
      const all = { succeeded: 2, failed: 0, unknown: 0, invalid: 0 }
      const command = `signalbox bulk import '${file}' -c`
      assert.match(String((yield* runIt()).outcome), /The run stopped; resume it afterwards$/u)
      assert.deepStrictEqual((yield* runIt()).outcome, all)
      assert.include((yield* runIt()).outcome, `is finished; to send it again: ${command} 'eu' --again`)
      const elsewhere = yield* runIt("us", "https://us.example.com")
      assert.include(elsewhere.outcome, `; to send it there too: ${command} 'us' --again`)
    })
  )

  it.live("continues in the same demo, and starts anew in a new one, which has received nothing", () =>
    Effect.gen(function* () {
      const ids = Array.from({ length: 40 }, (_, at) => `u_${at}`)
      writeFileSync(file, people(...ids))
      const writes = () =>
        served.fake.journal.entries().filter(({ operation }) => operation === "credentials.upsert").length
      const runIn = Effect.fnUntraced(function* (demo: string) {
        const before = writes()
        const { outcome } = yield* runIt("demo", demo, true)
        return [outcome, writes() - before] as const
      })
      const stopped = Effect.gen(function* () {
        // The lines in flight with it succeed.
        served.fake.faults.add(Fault.status(401, { operation: "credentials.upsert" }))
        const [outcome] = yield* runIn("first")
        assert.match(JSON.stringify(outcome), /The run stopped/u)
      })
      const all = { succeeded: 40, failed: 0, unknown: 0, invalid: 0 }
      yield* stopped
      const [outcome, rest] = yield* runIn("first")
      assert.deepStrictEqual(outcome, all)
      assert.isBelow(rest, 40)
      yield* stopped
      assert.deepStrictEqual(yield* runIn("second"), [all, 40])
      assert.deepStrictEqual(yield* runIn("second"), [all, 40])
    })
  )
})
