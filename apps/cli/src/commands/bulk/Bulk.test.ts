import { folderOfTest } from "@signalbox/testing/Folder"
import { afterEach, assert, beforeEach, describe, it } from "@effect/vitest"
import { expectFake, Fault } from "@signalbox/test-harness"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { makeTestProcess, run, type RunOptions, serveFake, type ServedFake } from "../../../test/CommandLineTest.ts"
import { vi } from "vitest"
import { runCommandLine } from "../../CommandLine.ts"
import { progressLine } from "./ProgressLine.ts"

let served: ServedFake
let folder: string

beforeEach(async () => {
  served = await serveFake({
    data: "empty",
    switches: { "credentials.unknownSubscriber": "create", "credentials.missingIntegration": "store" }
  })
  folder = folderOfTest()
  vi.stubEnv("XDG_STATE_HOME", folderOfTest())
})

afterEach(() => {
  vi.unstubAllEnvs()
  return served.close()
})

const bulk = (args: ReadonlyArray<string>, options: RunOptions = {}) =>
  run(["bulk", ...args], { ...options, environment: { ...served.environment, ...options.environment } })

const csv = (count: number) =>
  `subscriberId,deviceTokens\n${Array.from({ length: count }, (_, at) => `u_${at + 1},token-${at + 1}\n`).join("")}`

const write = (name: string, text: string): string => {
  const file = join(folder, name)
  writeFileSync(file, text)
  return file
}

/** Far more than a first request needs on a busy machine. */
const firstRequest = { timeoutMs: 60_000 }

const requests = () => served.fake.journal.entries().filter(({ method }) => method !== "GET").length

describe("bulk import", () => {
  it.live("reports that nothing was sent where it is interrupted before it has read its input", () =>
    Effect.gen(function* () {
      // Reading it takes a second.
      const file = write("tokens.csv", csv(200_000))
      const { printed, process } = makeTestProcess({ environment: served.environment })
      const words = ["bulk", "import", file, "--provider", "fcm", "--yes"]
      const running = yield* Effect.forkChild(runCommandLine(words, process))
      // The lock precedes the reading.
      yield* Effect.promise(() => vi.waitUntil(() => readdirSync(folder).length > 1, { timeout: 60_000, interval: 5 }))
      yield* Fiber.interrupt(running)
      // On a busy machine, a line says how much was checked.
      assert.match(
        printed().stderr,
        /^(?:[\d,]+ lines checked \(\d+%\)\n)*Interrupted before a run was started; nothing was sent\n$/u
      )
    })
  )

  it.live("imports a file and prints the record of the run", () =>
    Effect.gen(function* () {
      const file = write("tokens.csv", csv(30))
      const ran = yield* bulk(["import", file, "--provider", "fcm", "--yes"])
      assert.deepStrictEqual([ran.exitCode, ran.stderr, requests()], [0, "", 30])
      const record = JSON.parse(ran.stdout) as { readonly counts: object; readonly state: string }
      assert.deepStrictEqual(
        [record.state, record.counts],
        ["finished", { succeeded: 30, failed: 0, unknown: 0, invalid: 0 }]
      )
      const shown = yield* bulk(["status", file])
      assert.strictEqual(shown.stdout, ran.stdout)
    })
  )

  it.live(
    "reads stdin, keeps a copy of it for this user next to the journal, and continues the run of the same content",
    () =>
      Effect.gen(function* () {
        const stdin = csv(30)
        const words = ["import", "-", "--format", "csv", "--provider", "fcm", "--yes"]
        const refused = yield* bulk(words, { stdin })
        assert.deepStrictEqual(
          [refused.exitCode, refused.stderr],
          [2, "signalbox: stdin as the input needs --journal FOLDER, which keeps a copy of it\n"]
        )
        const checked = yield* bulk(["import", "-", "--format", "csv", "--provider", "fcm", "--dry-run"], { stdin })
        assert.strictEqual(checked.stderr, "stdin: 30 lines, none invalid; nothing was sent\n")
        for (const note of ["", /^run \S+ of stdin-\w+\.csv is finished; nothing was sent\./u]) {
          const ran = yield* bulk([...words, "--journal", folder], { stdin })
          assert.strictEqual(ran.exitCode, 0)
          if (typeof note === "string") assert.strictEqual(ran.stderr, note)
          else assert.match(ran.stderr, note)
        }
        assert.strictEqual(requests(), 30)
        const copies = readdirSync(folder).filter((name) => /^stdin-\w+\.csv$/u.test(name))
        assert.lengthOf(copies, 1)
        const copy = join(folder, copies[0] ?? "")
        assert.deepStrictEqual([readFileSync(copy, "utf8"), statSync(copy).mode & 0o777], [stdin, 0o600])
      })
  )

  it.live("lists the first problems of a file, and a thousand of each kind in a dry run", () =>
    Effect.gen(function* () {
      const wrong = (count: number) =>
        `subscriberId,deviceTokens\n${",token\n".repeat(count)}${"u,same\n".repeat(count)}`
      const file = write("tokens.csv", wrong(30))
      const words = ["import", file, "--provider", "fcm", "--yes"]
      const listed = (stderr: string) => [
        stderr.split("repeats an earlier line").length - 1,
        stderr.split('"subscriberId" is empty').length - 1,
        stderr.match(/^….*$/gmu) ?? []
      ]
      const refused = yield* bulk(words)
      const more = "… list more with --dry-run"
      assert.deepStrictEqual(listed(refused.stderr), [0, 20, [more]])
      assert.deepStrictEqual(listed((yield* bulk([...words, "--dry-run"])).stderr), [29, 30, []])
      write("tokens.csv", wrong(1200))
      const long = yield* bulk([...words, "--dry-run"])
      assert.deepStrictEqual(listed(long.stderr), [1000, 1000, ["… 199 more lines", "… 200 more lines"]])
      assert.match(long.stderr, /invalid lines: 1200 of 2400, 1199 repeated; nothing was sent\n$/u)
    })
  )

  it.live("shows on a terminal how much of the file is checked", () =>
    Effect.gen(function* () {
      const file = write("tokens.csv", csv(30_000))
      const ran = yield* bulk(["import", file, "--provider", "fcm", "--dry-run"], { columns: 80 })
      assert.match(ran.stderr, /lines checked \(\d+%\)/u)
    })
  )

  it.live("exits with 8 where lines fail, reports them, and sends only those again", () =>
    Effect.gen(function* () {
      const file = write("tokens.csv", csv(12))
      served.fake.faults.add(Fault.status(422, { times: 2, body: { message: "no" } }))
      const ran = yield* bulk(["import", file, "--provider", "fcm", "--yes"])
      assert.strictEqual(ran.exitCode, 8)
      assert.include(ran.stderr, `signalbox: 2 failed, 0 unknown, 0 invalid; see signalbox bulk report ${file}`)
      const report = yield* bulk(["report", file, "--csv", "--fields", "line,outcome,status"])
      const lines = report.stdout.trimEnd().split("\r\n")
      assert.deepStrictEqual([lines.length, lines[0]], [13, "line,outcome,status"])
      assert.strictEqual(lines.filter((line) => line.endsWith(",failed,422")).length, 2)
      const again = yield* bulk(["retry-failed", file])
      assert.deepStrictEqual([again.exitCode, requests()], [0, 14])
    })
  )

  it.live("names what to do about lines that may have been applied", () =>
    Effect.gen(function* () {
      const file = write("tokens.csv", csv(3))
      served.fake.faults.add(Fault.reset({ at: "committed" }))
      const advice = `Unknown lines may have been applied: check them, or send them again, perhaps twice, with: signalbox bulk retry-failed ${file} --at-least-once\n`
      const ran = yield* bulk(["import", file, "--provider", "fcm", "--yes"])
      assert.include(ran.stderr, advice)
      assert.include((yield* bulk(["retry-failed", file])).stderr, advice)
      const corrections = yield* bulk(["report", file, "--failed-input", join(folder, "corrections.csv")])
      assert.include(corrections.stderr, "Left out: 1 unknown line, which may have been applied\n")
      assert.deepInclude(yield* bulk(["retry-failed", file, "--at-least-once"]), { exitCode: 0, stderr: "" })
    })
  )

  it.live("reports that a file has no lines", () =>
    Effect.gen(function* () {
      const file = write("tokens.csv", csv(0))
      const ran = yield* bulk(["import", file, "--provider", "fcm", "--yes"])
      assert.deepStrictEqual([ran.exitCode, ran.stderr], [0, `${file} has no lines; there is nothing to send\n`])
    })
  )

  it.live("continues a run over its own connection unless another one is named", () =>
    Effect.gen(function* () {
      const file = write("tokens.csv", csv(1))
      const environment = { SIGNALBOX_BASE_URL: "", SIGNALBOX_API_KEY: "" }
      yield* bulk(["import", file, "--provider", "fcm", "-c", "demo"])
      const continued = yield* bulk(["retry-failed", file], { environment })
      assert.include(continued.stdout, '"connection":"demo"')
      const mistyped = yield* bulk(["retry-failed", `${file}x`], { environment })
      assert.match(mistyped.stderr, /^signalbox: no run /u)
    })
  )

  it.live("requires a yes on a terminal, names what is wrong, and does not start twice", () =>
    Effect.gen(function* () {
      const file = write("tokens.csv", csv(2))
      const no = yield* bulk(["import", file, "--provider", "fcm"], { columns: 80, answers: ["n"] })
      assert.match(no.questions[0] ?? "", /^import 2 lines of \S+tokens\.csv on "127\.0\.0\.1:\d+"/u)
      assert.deepStrictEqual([no.exitCode, requests()], [10, 0])
      const column = yield* bulk(["import", file, "--column", "token=x", "--yes"])
      assert.include(column.stderr, 'signalbox: --column: unknown field "token"; expected one of: subscriberId, ')
      const wrongKey = { SIGNALBOX_API_KEY: "wrong-key-5f2d" }
      const stopped = yield* bulk(["import", file, "--provider", "fcm", "--yes"], { environment: wrongKey })
      assert.strictEqual(stopped.exitCode, 3)
      assert.match(stopped.stderr, /The run stopped; resume it afterwards\n$/u)
      const other = yield* bulk(["import", file, "--provider", "apns", "--yes"])
      assert.deepStrictEqual(other.exitCode, 2)
      assert.match(other.stderr, /tokens\.csv has an unfinished run, import-\S+\. Resume it, or cancel it first\n$/u)
      const elsewhere = yield* bulk(["resume", file, "--connection", "demo"])
      assert.match(
        elsewhere.stderr,
        /was started for http:\/\/127\.0\.0\.1:\d+, not for demo\. Finish it, or cancel it first\n$/u
      )
      const resumed = yield* bulk(["resume", file])
      assert.deepStrictEqual([resumed.exitCode, requests()], [0, 2])
    })
  )

  it.live("names the flag that corrects every line of a file", () =>
    Effect.gen(function* () {
      const adviceOn = (name: string, text: string, kind = "import") =>
        Effect.map(bulk([kind, write(name, text), "--dry-run"]), ({ exitCode, stderr }) => [
          exitCode,
          stderr.trimEnd().split("nothing was sent").at(-1)
        ])
      assert.deepStrictEqual(yield* adviceOn("tokens.csv", csv(2)), [
        2,
        "; for lines without providerId, add --provider ID"
      ])
      assert.deepStrictEqual(yield* adviceOn("tokens.txt", csv(2)), [2, "; if the file is CSV, add --format csv"])
      const own = write("own.csv", "subscriberId,providerId,deviceTokens\nu_1,fcm,token\n")
      const unused = yield* bulk(["import", own, "--provider", "fmc", "--dry-run"])
      assert.strictEqual(unused.exitCode, 2)
      assert.match(unused.stderr, /^signalbox: --provider: Expected one of .+; did you mean fcm\?\n$/u)
      const mark = '{"subscriberId":"u","messageId":"m"}\n'
      assert.deepStrictEqual(yield* adviceOn("marks.ndjson", mark, "mark"), [
        2,
        "; for lines without markAs, add --as STATE"
      ])
      assert.deepStrictEqual(yield* adviceOn("other.ndjson", '{"subscriberId":7}\n', "mark"), [2, ""])
    })
  )

  it.live("continues and finishes a run with the same command, and sends nothing again unless requested", () =>
    Effect.gen(function* () {
      const file = write("tokens.csv", csv(2))
      const command = ["import", file, "--provider", "fcm", "--yes", "--fields", "state,succeeded"]
      yield* bulk(command, { environment: { SIGNALBOX_API_KEY: "wrong-key-5f2d" } })
      const continued = yield* bulk(command)
      assert.deepStrictEqual([continued.exitCode, continued.stdout], [0, '{"state":"finished","succeeded":2}\n'])
      assert.match(continued.stderr, /^Continuing run import-\S+\n$/u)
      const done = yield* bulk(command)
      assert.deepStrictEqual([done.exitCode, done.stdout, requests()], [0, continued.stdout, 2])
      assert.match(
        done.stderr,
        /^run import-\S+ of tokens\.csv is finished; nothing was sent\. To send it again, add --again\n$/u
      )
      const elsewhere = yield* bulk([...command, "-c", "demo"])
      assert.strictEqual(elsewhere.exitCode, 2)
      assert.match(
        elsewhere.stderr,
        /^signalbox: run import-\S+ sent tokens\.csv to "127\S+" \(http:\S+\), not to "demo" \(demo\); to send it there too, add --again\n$/u
      )
      const again = yield* bulk([...command, "--again"])
      assert.deepStrictEqual([again.exitCode, requests()], [0, 4])
      const table = yield* bulk(["list"], { columns: 80 })
      const row = new RegExp(String.raw`^import-\S{25} +tokens.csv +127\.0\S* +finished +2 of 2 ok$`, "gmu")
      assert.lengthOf(table.stdout.match(row) ?? [], 2, table.stdout)
      const listed = yield* bulk(["list", "--fields", "state,file"])
      assert.strictEqual(listed.stdout, `{"state":"finished","file":"${file}"}\n`.repeat(2))
      const { stdout } = yield* bulk(["delete", file, "--yes", "--fields", "state"])
      assert.strictEqual(stdout, '{"state":"finished"}\n')
      assert.lengthOf((yield* bulk(["list"])).stdout.trimEnd().split("\n"), 1)
    })
  )

  it.live("keeps to a highest rate, and rejects one that it cannot keep", () =>
    Effect.gen(function* () {
      const file = write("tokens.csv", csv(6))
      served.fake.setSwitches({ "rateLimit.plan": "free", "rateLimit.headers": "present" })
      const ran = yield* bulk(["import", file, "--provider", "fcm", "--yes", "--max-rate", "25%", "--fields", "state"])
      assert.deepStrictEqual([ran.exitCode, ran.stdout], [0, '{"state":"finished"}\n'])
      for (const wrong of ["0", "-1", "101%", "fast"]) {
        const refused = yield* bulk(["import", file, "--provider", "fcm", "--yes", `--max-rate=${wrong}`])
        assert.strictEqual(refused.exitCode, 2)
        assert.match(refused.stderr, /--max-rate.+expected requests a second such as 20 or 0\.5, or a share/u)
      }
      const database = yield* bulk(["resume", file, "--max-rate", "5", "--database", "default"])
      assert.deepStrictEqual(
        [database.exitCode, database.stderr],
        [2, "signalbox: --max-rate and --database exclude each other; its workers share the limit of the service\n"]
      )
    })
  )

  for (const [name, text, corrected] of [
    [
      "tokens.csv",
      'subscriberId,deviceTokens,integrationIdentifier\r\nu_1,token-1,\r\n\r\n"u_\n2",token-2,"a ""b"""\r\nu_3,\r\nu_4,token-4,x',
      'subscriberId,deviceTokens,integrationIdentifier\r\n"u_\n2",token-2,"a ""b"""\r\nu_3,\r\n'
    ],
    [
      "tokens.ndjson",
      '{"subscriberId":"u_1","credentials":{"deviceTokens":["t"]}}\n\n{ "subscriberId" : "u_2", "credentials": {"deviceTokens":["t"]} }\nnot json\n',
      '{ "subscriberId" : "u_2", "credentials": {"deviceTokens":["t"]} }\nnot json\n'
    ]
  ] as const) {
    it.live(`writes the lines to correct in the form of the input: ${name}`, () =>
      Effect.gen(function* () {
        const file = write(name, text)
        served.fake.faults.add(
          Fault.status(422, { operation: "credentials.upsert", request: 2, body: { message: "no" } })
        )
        const flags = ["--provider", "fcm", "--yes", "--validate", "during", "--concurrency", "1"]
        assert.strictEqual((yield* bulk(["import", file, ...flags])).exitCode, 8)
        const wanted = ["report", file, "--outcome", "failed", "--outcome", "invalid"]
        const printed = yield* bulk([...wanted, "--fields", "outcome"])
        assert.deepStrictEqual([printed.exitCode, printed.stdout], [0, '{"outcome":"failed"}\n{"outcome":"invalid"}\n'])
        const output = join(folder, `corrections-${name}`)
        const both = yield* bulk([...wanted, "--failed-input", output])
        assert.deepStrictEqual(
          [both.exitCode, both.stderr],
          [2, "signalbox: --outcome and --failed-input exclude each other\n"]
        )
        const wrote = yield* bulk(["report", file, "--failed-input", output])
        assert.deepStrictEqual([wrote.exitCode, wrote.stdout], [0, ""])
        assert.strictEqual(wrote.stderr, `Wrote 2 lines to ${output}. Correct them, and import that file\n`)
        assert.strictEqual(readFileSync(output, "utf8"), corrected)
        const again = yield* bulk(["report", file, "--failed-input", output])
        assert.deepStrictEqual(
          [again.exitCode, again.stderr],
          [2, `signalbox: cannot write ${output}: the file already exists\n`]
        )
      })
    )
  }

  it.live("writes no file where no line is to be corrected", () =>
    Effect.gen(function* () {
      const file = write("tokens.csv", csv(2))
      const output = join(folder, "corrections.csv")
      assert.strictEqual((yield* bulk(["import", file, "--provider", "fcm", "--yes"])).exitCode, 0)
      const wrote = yield* bulk(["report", file, "--failed-input", output])
      assert.deepStrictEqual([wrote.exitCode, wrote.stderr], [0, "No line failed or is invalid; nothing was written\n"])
      assert.isFalse(existsSync(output))
    })
  )

  it.live("requires a database for a URL, which it does not read before", () =>
    Effect.gen(function* () {
      const wrong = yield* bulk(["import", `${served.environment["SIGNALBOX_BASE_URL"]}/tokens.csv`, "--yes"])
      assert.deepStrictEqual(
        [wrong.exitCode, wrong.stderr],
        [2, "signalbox: a URL as the input needs --database; download the file, or name a database\n"]
      )
      assert.lengthOf(served.fake.journal.entries(), 0)
    })
  )

  it.live("warns of another import of this machine that is under way", () =>
    Effect.gen(function* () {
      const file = write("tokens.csv", csv(40))
      served.fake.faults.add(Fault.status(429, { headers: { "retry-after": "600" } }))
      const first = yield* Effect.forkChild(bulk(["import", file, "--provider", "fcm", "--yes", "--concurrency", "1"]))
      yield* Effect.promise(() =>
        expectFake(served.fake).waitFor(({ requests: seen }) => seen.length > 0, firstRequest)
      )
      const other = write("others.csv", "subscriberId,deviceTokens\nu_1,another-token\n")
      const second = yield* bulk(["import", other, "--provider", "fcm", "--yes"])
      assert.match(
        second.stderr,
        /^signalbox: warning: run import-\S+ imports \S+tokens\.csv at the same time; import files .+ one after another/u
      )
      yield* Fiber.interrupt(first)
    })
  )

  it.live("leaves no run behind that is not wanted", () =>
    Effect.gen(function* () {
      const file = write("tokens.csv", csv(2))
      yield* bulk(["import", file, "--provider", "fcm", "--yes"], {
        environment: { SIGNALBOX_API_KEY: "wrong-key-5f2d" }
      })
      const ran = yield* bulk(["cancel", file, "--fields", "state"])
      assert.deepStrictEqual([ran.exitCode, ran.stdout], [0, '{"state":"cancelled"}\n'])
      const report = yield* bulk(["report", file, "--fields", "line,outcome"])
      assert.strictEqual(report.stdout, '{"line":2,"outcome":"not-tried"}\n{"line":3,"outcome":"not-tried"}\n')
      assert.strictEqual((yield* bulk(["status", join(folder, "other.csv")])).exitCode, 2)
    })
  )

  const imports = (file: string) => ["import", file, "--provider", "fcm", "--yes", "--fields", "state,succeeded"]

  /** An import whose lines wait for the rate limit until another command halts it. */
  const halted = Effect.fnUntraced(function* (command: "pause" | "cancel") {
    const file = write("tokens.csv", csv(40))
    served.fake.faults.add(Fault.status(429, { times: "always", headers: { "retry-after": "600" } }))
    const running = yield* Effect.forkChild(bulk(imports(file)))
    yield* Effect.promise(() => expectFake(served.fake).waitFor(({ requests: seen }) => seen.length > 0, firstRequest))
    yield* bulk([command, file])
    served.fake.faults.clear()
    return { file, ran: yield* Fiber.join(running) }
  })

  it.live("exits with 8 when another command cancels it", () =>
    Effect.gen(function* () {
      const { ran } = yield* halted("cancel")
      assert.deepStrictEqual([ran.exitCode, ran.stdout], [8, '{"state":"cancelled","succeeded":0}\n'])
      assert.match(
        ran.stderr,
        /signalbox: the run was cancelled before its end; 0 failed, .+; see signalbox bulk report /u
      )
    })
  )

  it.live("exits with 9 when another command pauses it, and continues only where a person confirms that", () =>
    Effect.gen(function* () {
      const { file, ran } = yield* halted("pause")
      const sent = requests()
      const unattended = yield* bulk(imports(file))
      const declined = yield* bulk(imports(file), { columns: 80, answers: ["n"] })
      assert.match(declined.questions.join(), /^Run import-\S+ is paused\. Continue it\? \[y\/N\] $/u)
      for (const { exitCode, stderr, stdout } of [ran, unattended, declined]) {
        assert.deepStrictEqual([exitCode, stdout.includes("paused")], [9, true])
        assert.match(stderr, /signalbox: the run is paused; continue with: signalbox bulk resume \S+tokens\.csv\n$/u)
      }
      assert.strictEqual(unattended.stderr.trimEnd().split("\n").length, 1)
      assert.strictEqual(requests(), sent)
      const listed = yield* bulk(["list", "--fields", "state"])
      assert.strictEqual(listed.stdout, '{"state":"paused"}\n')
      const confirmed = yield* bulk(imports(file), { columns: 80, answers: ["y"] })
      assert.strictEqual(confirmed.exitCode, 0)
      assert.include((yield* bulk(["status", file, "--fields", "state,succeeded"])).stdout, '"finished","succeeded":40')
    })
  )
})

describe("bulk mark", () => {
  it.live("marks the messages of a file", () =>
    Effect.gen(function* () {
      served.fake.addSubscriber({ subscriberId: "u_1" })
      for (const id of ["m1", "m2"]) served.fake.addMessage({ subscriberId: "u_1", id })
      const file = write("messages.csv", "subscriberId,messageId\nu_1,m1\nu_1,m2\n")
      const ran = yield* bulk(["mark", file, "--as", "read", "--yes", "--fields", "succeeded"])
      assert.deepStrictEqual([ran.exitCode, ran.stdout], [0, '{"succeeded":2}\n'])
    })
  )
})

describe("bulk export", () => {
  it.live("writes the events that the service filters", () =>
    Effect.gen(function* () {
      const { environment, fake } = yield* Effect.promise(() => serveFake({ events: 70 }))
      const file = join(folder, "events.ndjson")
      const ran = yield* bulk(["export", file, "--fields", "kind,succeeded"], { environment })
      assert.deepStrictEqual([ran.exitCode, ran.stdout], [0, '{"kind":"export","succeeded":70}\n'])
      assert.lengthOf(readFileSync(file, "utf8").trimEnd().split("\n"), 70)
      const local = yield* bulk(["export", join(folder, "other.ndjson"), "after:3h", "status:failed"], {
        environment
      })
      assert.match(
        local.stderr,
        /^signalbox: filter "status:failed": .+; use: signalbox events list --all --json 'after:3h' 'status:failed'\n$/u
      )
      for (const [words, line] of [
        [["after:24h"], '"after:24h" is a filter; name the file first: bulk export FILE after:24h'],
        [["day.csv", "after:24h"], "an export is NDJSON, one JSON object per line; name the file day.ndjson"],
        [[join(folder, "mistyped", "day.ndjson")], `there is no folder ${join(folder, "mistyped")}; create it first`]
      ] as const) {
        const wrong = yield* bulk(["export", ...words], { environment })
        assert.deepStrictEqual([wrong.exitCode, wrong.stderr], [2, `signalbox: ${line}\n`])
      }
      assert.deepStrictEqual([local.exitCode, fake.journal.entries().length], [2, 2])
      const unconfirmed = yield* bulk(["export", join(folder, "other.ndjson"), "--with-secrets"], { environment })
      assert.strictEqual(unconfirmed.exitCode, 2)
      assert.match(
        unconfirmed.stderr,
        /^signalbox: write events of ".+" with their secrets to .+ needs --yes, or a terminal/u
      )
      assert.lengthOf(fake.journal.entries(), 2)
      const secrets = join(folder, "secrets.ndjson")
      assert.strictEqual((yield* bulk(["export", secrets, "--with-secrets", "--yes"], { environment })).exitCode, 0)
      assert.lengthOf(readFileSync(secrets, "utf8").trimEnd().split("\n"), 70)
      const refused = yield* bulk(["export", join(folder, "other.ndjson"), "--database", "eu"], { environment })
      assert.deepStrictEqual(
        [refused.exitCode, refused.stderr],
        [2, "signalbox: workers do no exports; run bulk export without --database\n"]
      )
    })
  )
})

describe("the progress of a run", () => {
  const progress = {
    id: "import-1",
    journal: "j",
    total: 100_000,
    counts: { succeeded: 12_340, failed: 3, unknown: 1, invalid: 0 },
    perSecond: 840.4,
    timeLeftMs: 104_000,
    waiting: undefined
  }

  it("reports how much is done, how fast, how long it takes and what failed", () =>
    assert.strictEqual(progressLine(progress, 0), "12,344 of 100,000 (12%), 840/s, 1m 44s left, 3 failed, 1 unknown"))

  for (const [reason, cause] of [
    ["RateLimited", "the rate limit"],
    ["TransportFailure", "the service, which cannot be reached"],
    ["Timeout", "the service, which does not respond in time"],
    ["ServerFailure", "the service, which is not available"]
  ] as const) {
    it(`reports what the run waits for: ${cause}`, () =>
      assert.strictEqual(
        progressLine({ ...progress, total: undefined, timeLeftMs: undefined, waiting: { reason, until: 12_000 } }, 0),
        `12,344, 840/s, 3 failed, 1 unknown, waiting 12s for ${cause}`
      ))
  }

  it.live("is rewritten on a terminal, and not shown when quiet", () =>
    Effect.gen(function* () {
      const file = write("tokens.csv", csv(2))
      const shown = yield* bulk(["import", file, "--provider", "fcm", "--yes"], { columns: 200 })
      assert.include(shown.stderr, "\r\u001B[2K2 of 2 (100%)")
      assert.isTrue(shown.stderr.endsWith("\r\u001B[2K"))
      const quiet = yield* bulk(["import", file, "--provider", "fcm", "--yes", "--quiet"], { columns: 200 })
      assert.strictEqual(quiet.stderr, "")
    })
  )
})
