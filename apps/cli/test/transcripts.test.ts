/** Command lines with all that they ask, send and print, and their exit codes. */
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, it } from "@effect/vitest"
import { defineOperation } from "@signalbox/core/DeclaredOperation"
import { Fault } from "@signalbox/test-harness"
import { folderOfTest } from "@signalbox/testing/Folder"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import { afterEach, expect, vi } from "vitest"
import { now, run, type RunOptions, serveFake, type ServedFake } from "./CommandLineTest.ts"

const webhook = "https://hooks.example.test/services/T0/B0/K7q2x9"

/** A command line whose words are separated by spaces, or what happens before the next one. */
type Step = string | readonly [string, RunOptions] | ((served: ServedFake) => void)

const on80: RunOptions = { columns: 80, answers: ["y", webhook] }
const on200: RunOptions = { columns: 200, answers: ["n"] }
const coloured: RunOptions = { columns: 250, environment: { NO_COLOR: "" } }
const database = "postgres://signalbox:hunter2@127.0.0.1:1/runs"
const unreachableDatabase = { SIGNALBOX_DATABASE_URL: database, EU_DATABASE: database }
const piped = (stdin: string): RunOptions => ({ stdin })

const events = "time,result,workflow,subscriber,channels,transaction,id,severity,rule,cause"
const causes = "count,trend,title,subscribers,firstSeen,lastSeen,group,fixable,step,provider,owner,cause,advice,samples"
const runs = "kind,state,total,succeeded,failed,unknown,invalid,maybeTwice,pass,file,connection,outcome,inDoubt,problem"

/** The same command as JSON, as CSV, and as tables. */
const everywhere = (command: string): ReadonlyArray<Step> => [
  `${command} --json`,
  `${command} --csv`,
  [command, on80],
  [command, on200]
]

const eachStatus = [400, 401, 403, 404, 409, 413, 422, 302].flatMap((status): ReadonlyArray<Step> => [
  ({ fake }) => fake.faults.add(Fault.status(status, { times: 2, headers: { "x-request-id": "req_5f2d" } })),
  "events list",
  "events list --json"
])

const transcripts: Readonly<Record<string, ReadonlyArray<Step>>> = {
  events: [
    ["events list --limit 8", on80],
    ["events list --limit 8", { columns: 60 }],
    "events list --since 3h --table",
    ["events list status:failed --limit 3 --fields subscriber.email,jobs.type,.payload", { columns: 100 }],
    "events list status:failed --limit 2 --fields .transactionId,jobs.executionDetails.status,payload.ticketId",
    "events list status:failed --csv",
    "events list status:failed --limit 1",
    ["events list --limit 20", coloured],
    ["events show txn_526642770078", coloured],
    ["events show nope", coloured],
    "events list subscriber:nobody --quiet",
    "events list subscriber:nobody --csv",
    ...everywhere(`events list status:failed,warning --limit 6 --fields ${events}`),
    ["events list --limit 3 --debug", on80],
    "events list --limit 2 --quiet --fields id,rule,cause",
    "events list subscriber:nobody",
    ["events list subscriber:nobody", on80],
    "events list zzz --json",
    ...everywhere("events show txn_86c704670079 --fields id,channels"),
    ["events show txn_526642770078", on200],
    "events show nope --search-pages 1"
  ],
  diagnose: [
    ...everywhere("events diagnose --limit 40"),
    [`events diagnose --fields ${causes}`, coloured],
    "events diagnose channel:chat",
    "events diagnose --fail-on-failures --csv --fields count,trend,group,lastSeen",
    "events diagnose status:ok x7 --fail-on-failures",
    "events diagnose subscriber:nobody"
  ],
  failures: [...eachStatus, "events list -c nowhere"],
  connections: [
    ...everywhere("connections list"),
    ...everywhere("connections check eu"),
    "connections check demo",
    "connections check ue",
    ["connections check", { environment: { SIGNALBOX_API_KEY: "wrong-key-5f2d" } }],
    ["connections check", { environment: { SIGNALBOX_API_KEY: "wrong-key-5f2d" }, columns: 80 }],
    "connections list --json",
    "connections add us --base-url https://us.example.com --api-key-command pass --vendor acme --offline",
    "connections add eu --base-url https://us.example.com --api-key-env K",
    "connections add x --base-url ftp://x --api-key-env K",
    "connections add x --base-url https://x",
    "connections add x --base-url https://x --api-key-env sk-live-5f2d",
    "connections add demo --base-url https://x --api-key-env K",
    "connections add eu --base-url nope --api-key-env K",
    "connections add x --base-url https://a.example --api-key-env K --api-key-command k"
  ],
  credentials: [
    ...["slack --webhook-url @FOLDER/webhook", "fcm --device-token - --device-token env:TOKEN"].flatMap(
      (rest): ReadonlyArray<Step> =>
        ["--dry-run", "--dry-run --json", "--yes --fields subscriber,providers,updated", "--yes --csv"].map((how) => [
          `credentials upsert -s u_1 --provider ${rest} ${how}`,
          { stdin: "a\nb\n", environment: { TOKEN: "fcm-device-token-4f1c8a" } }
        ])
    ),
    ["credentials upsert -s u_1 --provider slack", { columns: 80, answers: [webhook, "y"] }],
    ["credentials upsert -s u_1 --provider slack", { columns: 80, answers: [webhook, "n"] }],
    ["credentials upsert -s u_1 --provider slack --webhook-url @FOLDER/webhook --dry-run", on80],
    ["credentials upsert -s u_1 --provider fcm", { columns: 80, answers: ["fcm-device-token-4f1c8a", "y"] }],
    "credentials upsert -s u_1 --provider slack --webhook-url @FOLDER/webhook --integration main --dry-run",
    "credentials upsert -s u_1 --provider slak",
    "credentials upsert -s u_1 --provider slack --webhook-url https://hooks.example.test/T0 --yes",
    "credentials upsert -s u_1 --provider slack --webhook-url @FOLDER/none --yes",
    "credentials upsert -s u_1 --provider slack --webhook-url @FOLDER/empty --yes",
    "credentials upsert -s u_1 --provider slack --webhook-url env:SIGNALBOX_API_KEY --yes",
    "credentials upsert -s u_1 --provider slack --webhook-url env:NOPE --yes",
    "credentials upsert -s u_1 --provider slack --webhook-url env: --yes",
    "credentials upsert -s u_1 --provider slack --webhook-url @ --yes",
    ["credentials upsert -s u_1 --provider slack --webhook-url - --yes", piped("\u0000\uFFFD")],
    "credentials upsert -s u_1 --provider slack --yes",
    "credentials upsert -s u_1 --provider slack --device-token -",
    "credentials upsert -s u_1 --provider slack --webhook-url @FOLDER/webhook",
    "credentials upsert -s u_1",
    "credentials upsert -s u_1 --provider slack --webhook-url @FOLDER/webhook --yes -c eu",
    "credentials upsert -s nobody --provider slack --webhook-url @FOLDER/webhook --yes"
  ],
  messages: [
    ...["read", "unread", "seen", "unseen"].map(
      (state) => `messages mark-as ${state} m1 m2 m1 --yes -s u_1 --fields id,channel,read,seen,subject,transaction`
    ),
    ...everywhere("messages mark-as seen m1 m2 --subscriber u_1 --yes --fields id,seen"),
    ["messages mark-as read m1 m2 -s u_1", on80],
    ["messages mark-as read m1 -s u_1", on200],
    ["messages mark-as seen - --yes -s u_1 --fields id,read,seen", piped("m1\n m2\n")],
    "messages mark-as read m1 nope --yes -s u_1",
    "messages mark-as read nope --yes -s u_1",
    "messages mark-as read m1 a b c d e f g h i j k l --yes -s u_1",
    "messages mark-as read nope never --yes -s u_1 --json",
    "messages mark-as read m1 -s u_1",
    "messages mark-as raed m1 -s u_1",
    "messages mark-as read m1 - -s u_1",
    "messages mark-as read - --yes -s u_1",
    "messages mark-as read m1 -s .. -c demo",
    ["messages mark-as read m1 -s u_1 -c eu", on80]
  ],
  api: [
    "api GET /v1/topics -f page=1 -f tags=x -f tags=y",
    ["api GET /v1/topics", on80],
    "api GET /v1/topics --paginate -f limit=2",
    "api POST /v1/topics -f name=welcome -f to.id=u_1 -f to.tags=x -f to.tags=y=z --yes",
    ["api PATCH /v1/topics/a%2Fb --input - -f dry=true --yes", piped('{"name":["x"],"size":3}')],
    ["api POST /v1/topics -f key=news", on80],
    ["api POST /v1/topics -f key=news", on200],
    "api get /v1/topics",
    "api GET /v1/topics?page=1",
    "api GET v1/topics",
    "api GET /v1/topics --input -",
    "api POST /v1/topics --paginate --yes",
    "api GET /v1/topics --paginate -f page=x",
    "api GET /v1/topics -f page",
    "api POST /v1/topics -f .=secret",
    "api POST /v1/topics -f to=u -f to.id=u --yes",
    ["api POST /v1/topics --input - --yes", piped("{")],
    "api POST /v1/topics --input /nonexistent/body --yes",
    "api POST /v1/topics --input FOLDER/bad.csv --yes",
    "api POST /v1/topics",
    "api POST /v1/topics --yes -c eu",
    "api GET /v1/layouts"
  ],
  doctor: [
    ...everywhere("doctor"),
    ({ fake }) => fake.faults.add(Fault.drift({ kind: "unknown-enum-value", times: "always" })),
    "doctor",
    ({ fake }) => fake.faults.clear(),
    ({ fake }) => fake.faults.add(Fault.html(404, { times: "always" })),
    ["doctor", on80],
    "events list",
    ({ fake }) => fake.faults.clear(),
    ["doctor", { environment: { SIGNALBOX_API_KEY: "wrong-key-5f2d" } }],
    ["doctor", { ...coloured, environment: { ...coloured.environment, SIGNALBOX_API_KEY: "wrong-key-5f2d" } }],
    "doctor -s u_1"
  ],
  bulk: [
    "bulk import FOLDER/bad.csv --provider fcm --dry-run",
    "bulk import FOLDER/bad.csv --provider fcm --yes",
    "bulk import FOLDER/tokens.csv --provider fcm --dry-run",
    ["bulk import FOLDER/tokens.csv --provider fcm", on200],
    "bulk import FOLDER/tokens.csv --column token=x --yes",
    "bulk import FOLDER/tokens.csv",
    "bulk import FOLDER/none.csv --provider fcm",
    "bulk list",
    "bulk status FOLDER/tokens.csv",
    ({ fake }) => fake.faults.add(Fault.status(422, { operation: "credentials.upsert", times: 2 })),
    `bulk import FOLDER/tokens.csv --provider fcm --yes --concurrency 1 --fields ${runs}`,
    ...everywhere("bulk report FOLDER/tokens.csv"),
    `bulk status FOLDER/tokens.csv --csv --fields ${runs}`,
    ["bulk status FOLDER/tokens.csv", on80],
    [`bulk list --fields ${runs}`, coloured],
    ["bulk report FOLDER/tokens.csv", coloured],
    "bulk report FOLDER/tokens.csv --failed-input FOLDER/corrections.csv",
    "bulk pause FOLDER/tokens.csv",
    "bulk resume FOLDER/tokens.csv",
    `bulk retry-failed FOLDER/tokens.csv --fields ${runs}`,
    `bulk retry-failed FOLDER/tokens.csv --fields ${runs}`,
    `bulk cancel FOLDER/tokens.csv --fields ${runs}`,
    "bulk delete FOLDER/tokens.csv",
    `bulk delete FOLDER/tokens.csv --yes --fields ${runs}`,
    "bulk mark FOLDER/messages.csv --as red",
    `bulk mark FOLDER/messages.csv --as read --yes --fields ${runs}`,
    "bulk export FOLDER/events.ndjson status:failed --fields state,outcome",
    "bulk export FOLDER/events.ndjson status:faild",
    "bulk export channel:email",
    "bulk export FOLDER/events.csv",
    "bulk export FOLDER/events.ndjson --database default",
    "bulk worker -c demo",
    "bulk worker -c eu",
    ...[
      "bulk list --database default",
      "bulk import FOLDER/tokens.csv --provider fcm --database default --stage --yes",
      "bulk status FOLDER/tokens.csv --database default",
      "bulk list --database eu",
      "bulk worker"
    ].flatMap((command): ReadonlyArray<Step> => [command, [command, { environment: unreachableDatabase }]]),
    "bulk list --database ue",
    "bulk import FOLDER/tokens.csv --provider fcm --stage",
    "bulk import FOLDER/tokens.csv --provider fcm --database default --journal FOLDER",
    "bulk import FOLDER/tokens.csv --provider fcm --database default --concurrency 2"
  ],
  help: [
    "",
    ["help events list", on80],
    "help rate limitted",
    "help diagnose",
    "help bulk lst",
    "help xyzzy",
    "help events list all",
    ["bulk --help", coloured],
    "events --help",
    "completions tcsh"
  ],
  usage: [
    "event",
    "diagnose",
    "lsit",
    "events watch",
    "events list --after 3h",
    "events list --since soon",
    "events list --since 3h after:1h",
    "events list --csv --table",
    "ui --since soon",
    "watch --exit-on old",
    "watch --for soon",
    "events",
    "events lst",
    "events list --limt 3",
    "events list --xyzzy",
    "events list --limit 0x1e",
    "events list --json --limit x",
    "events list --json --csv",
    "events list --limit",
    "events list --limit 0",
    "connections add eu --base-url",
    "events list --limit 3 --limit 4",
    "--quiet events list",
    "--halp",
    "--connection demo events list",
    "-c demo",
    "--filter after:24h",
    "--json",
    "--csv connections list",
    "events --json list",
    "--webhook-url https://hooks.example.test/T0 credentials upsert -s u_1",
    "credentials upsert --provider slack",
    "credentials upsert u_1 slack",
    "credentials upsert -s u_1 --provider-id slack",
    "credentials upsert -s u_1 --providerId slack",
    "connections add x",
    "events list -x",
    "events list limit:2 -c demo",
    "events list -channel:emial",
    "events list status:failed OR status:ok",
    "events show",
    "events show a b",
    "events diagnose status=failed",
    "events list last 3h",
    "events list --limit 2 --fields to,transactionId,createdAt,jobs",
    "events list --fields creatdAt",
    "events list --fields xyzzy",
    "events list --fields ,",
    "events list --fields .",
    "events list --cursor 0_2_1_0",
    "events show EMPTY",
    "messages mark-as read EMPTY -s u_1",
    "events list -c EMPTY",
    "events diagnose --fields first",
    "events list status:faild",
    "events list --all --limit 3",
    "events list --follow --all",
    "events list --fields tme",
    "events list --cursor x",
    "events list -c ue",
    "events diagnose --all --limit 1",
    "events diagnose --since soon",
    "fake --demos",
    "fake --demo --empty",
    "fake --port",
    "fake exce -- true",
    "fake --seed -h",
    "fake --preset mine",
    "fake --preset none.json",
    "fake --preset package.json",
    "fake exec",
    "fake exec --preset none.json -- true",
    "fake exec node -e 1",
    "fake exec -- /nonexistent/program",
    "fake --like eu",
    "fake exec -- true",
    "fake exec -- false",
    "fake exec -- sh -c kill${IFS}-9${IFS}$$",
    "fake exec --empty --host 127.0.0.1 --vendor acme --preset observed --seed 7 -- true",
    "fake --port PORT",
    "ui",
    "ui --replay a -c demo",
    "doctor --calibrate --yes"
  ],
  empty: ["events list", "events list --all", "events diagnose", "events show nope", "doctor"],
  "without-a-connection": ["events list", "doctor", "connections list", "connections check"]
}

const topic = { name: "topics.create", method: "POST", path: "/v1/topics" } as const

const serve = async (folder: string, data: "demo" | "empty") => {
  const served = await serveFake({ data })
  const { fake } = served
  fake.addSubscriber({ subscriberId: "u_1" })
  for (const id of ["m1", "m2"]) fake.addMessage({ subscriberId: "u_1", id })
  fake.route(defineOperation(topic), ({ input }) => ({ body: { data: input } }))
  const rename = { ...topic, name: "topics.rename", method: "PATCH", path: "/v1/topics/:topicKey" } as const
  fake.route(defineOperation(rename), ({ input }) => ({ body: input }))
  fake.route(defineOperation({ ...topic, name: "topics.list", method: "GET" }), ({ input: { query = {} } }) => {
    const page = Number(query["page"] ?? 0)
    return { body: { page, hasMore: page < 2, data: [{ key: `a${page}` }, { key: `b${page}` }] } }
  })
  mkdirSync(join(folder, "signalbox"))
  const files = {
    "signalbox/config.toml": `[connections.eu]\nbaseUrl = "${served.url}"\napiKeyEnv = "SIGNALBOX_API_KEY"\nreadOnly = true\n[databases.eu]\ndatabaseUrlEnv = "EU_DATABASE"\n`,
    webhook: `${webhook}\n`,
    empty: "\n",
    "tokens.csv": "subscriberId,deviceTokens\nu_1,token-1\nu_1,token-2\nu_1,token-3\n",
    "bad.csv": "subscriberId,deviceTokens\nu_1,token-1\n,token-2\nu_3\nu_1,token-1\nu_4, token-4 \nu_5,\n",
    "messages.csv": "subscriberId,messageId\nu_1,m1\nu_1,m2\nu_1,nope\n"
  }
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  return served
}

/** Output without what differs between runs. */
const stable = (text: string, folder: string, url: string): string =>
  text
    .replaceAll(folder, "FOLDER")
    .replaceAll(new URL(url).host, "127.0.0.1:4010")
    .replaceAll(`--port ${new URL(url).port}`, "--port 4010")
    .replaceAll(/[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/gu, "UUID")
    .replaceAll(/\b(import|mark|export)-2\w+[\w-]*/gu, "$1-RUN")
    .replaceAll(/\b\d+(?:\.\d+)? ms\b/gu, "N ms")

afterEach(() => vi.unstubAllEnvs())

describe("transcripts", () => {
  it.effect.each(Object.keys(transcripts))("of %s", (name) =>
    Effect.gen(function* () {
      const folder = folderOfTest()
      // Read by the store of runs.
      vi.stubEnv("XDG_STATE_HOME", folder)
      const served = yield* Effect.promise(() => serve(folder, name === "empty" ? "empty" : "demo"))
      yield* Effect.addFinalizer(() => Effect.promise(() => served.close()))
      yield* TestClock.setTime(Date.parse(now))
      const inPlace = (word: string) =>
        word
          .replace("EMPTY", "")
          .replace("FOLDER", folder)
          .replace("URL", served.url)
          .replace("PORT", new URL(served.url).port)
      const lines: Array<string> = []
      for (const step of transcripts[name] ?? []) {
        if (typeof step === "function") {
          step(served)
          continue
        }
        const [command, options] = typeof step === "string" ? [step, {}] : step
        const args = command.split(" ").flatMap((word) => (word === "" ? [] : [inPlace(word)]))
        const sent = served.fake.journal.entries().length
        const environment = {
          XDG_CONFIG_HOME: folder,
          ...(name === "without-a-connection" ? {} : served.environment),
          ...options.environment
        }
        const { exitCode, questions, stderr, stdout } = yield* run(args, { ...options, environment })
        const requests = served.fake.journal.entries().slice(sent)
        const streams = Object.entries({
          asked: questions.join("\n"),
          sent: requests
            .map(({ method, path, query }) => `${method} ${path}${query === "" ? "" : `?${query}`}`)
            .join("\n"),
          stdout,
          stderr
        })
        lines.push(
          `$ signalbox ${command}${options.columns === undefined ? "" : ` (${options.columns} columns)`}`,
          ...streams.flatMap(([stream, text]) =>
            text === ""
              ? []
              : [
                  `${stream}:`,
                  stable(text, folder, served.url).replaceAll("\r", "␍").replaceAll("\u001B", "␛").trimEnd()
                ]
          ),
          `exit code ${exitCode}`,
          ""
        )
      }
      yield* Effect.promise(() => expect(lines.join("\n")).toMatchFileSnapshot(`golden/transcripts/${name}.txt`))
    })
  )
})
