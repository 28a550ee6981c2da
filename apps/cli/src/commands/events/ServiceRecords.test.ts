/**
 * Events in the responses of version 3.15.0 of the service, read over a socket: which of them are failures, and who can
 * fix them.
 */
import { once } from "node:events"
import { mkdirSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { folderOfTest } from "@signalbox/testing/Folder"
import * as Effect from "effect/Effect"
import { run } from "../../../test/CommandLineTest.ts"

const idOf = (number: number): string => number.toString(16).padStart(24, "0")

let made = 0

const detail = (status: string, text: string, raw?: unknown) => ({
  _id: idOf((made += 1)),
  status,
  detail: text,
  source: "Internal",
  isRetry: false,
  isTest: false,
  createdAt: new Date(Date.UTC(2026, 10, 21, 11, 0, made)).toISOString(),
  ...(raw === undefined ? {} : { raw: JSON.stringify(raw) })
})

const job = (type: string, status: string, ...executionDetails: ReadonlyArray<unknown>) => ({
  _id: idOf((made += 1)),
  type,
  status,
  executionDetails,
  step: { _id: idOf(1), active: true, _templateId: idOf(2), filters: [], metadata: { timed: {} }, variants: [] },
  payload: {},
  overrides: {}
})

const event = (...jobs: ReadonlyArray<unknown>) => ({
  _id: idOf((made += 1)),
  _environmentId: idOf(3),
  _organizationId: idOf(4),
  _subscriberId: idOf(5),
  transactionId: `txn_${made}`,
  createdAt: "2026-11-21T11:30:00.000Z",
  subscriber: { _id: idOf(5), subscriberId: "grace" },
  jobs
})

/** Runs a command against a service that has these events. */
const against = (events: ReadonlyArray<unknown>, ...args: ReadonlyArray<string>) => configured("", events, ...args)

/** The same with a folder of configuration files. */
const configured = (folder: string, events: ReadonlyArray<unknown>, ...args: ReadonlyArray<string>) =>
  Effect.acquireUseRelease(
    Effect.promise(async () => {
      const server = createServer((_, response) => {
        response.writeHead(200, { "content-type": "application/json" })
        response.end(JSON.stringify({ page: 0, pageSize: 50, hasMore: false, data: events }))
      }).listen(0, "127.0.0.1")
      await once(server, "listening")
      return server
    }),
    (server) =>
      // A server on a port has an address with a port; the cast leaves out those of pipes.
      run(args, {
        environment: {
          SIGNALBOX_BASE_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
          SIGNALBOX_API_KEY: "key-of-a-test",
          ...(folder === "" ? {} : { XDG_CONFIG_HOME: folder })
        }
      }),
    (server) =>
      Effect.promise(async () => {
        server.closeAllConnections()
        server.close()
        await once(server, "close")
      })
  )

const skipped = event(
  job(
    "in_app",
    "canceled",
    detail("Pending", "Step queued"),
    detail("Failed", "Step was skipped based on steps conditions", {
      filter: { conditions: [{ filter: "Payload", field: "tier", expected: "gold", operator: "EQUAL", passed: false }] }
    })
  )
)

const stopped = event(
  job(
    "sms",
    "failed",
    detail("Pending", "Step queued"),
    detail("Failed", "Subscriber does not have an active integration")
  ),
  job("in_app", "canceled", detail("Failed", "Step was canceled because a previous step failed"))
)

const silent = event(job("in_app", "failed", detail("Pending", "Step queued")))

describe("events of a running service", () => {
  it.effect("are no failure for --fail-on-failures where a step was skipped", () =>
    Effect.gen(function* () {
      const { exitCode, stderr } = yield* against([skipped], "events", "diagnose", "--fail-on-failures")
      assert.include(stderr, "0 failed events in 0 groups among 1 event")
      assert.strictEqual(exitCode, 0)
      const { stdout } = yield* against([skipped], "events", "list", "--fields", "result")
      assert.deepStrictEqual(JSON.parse(stdout), { result: "skipped" })
    })
  )

  it.effect("are one failure where a step failed and the steps after it were canceled, and name its owner", () =>
    Effect.gen(function* () {
      const { exitCode, stdout } = yield* against([stopped, skipped], "events", "diagnose", "--fail-on-failures")
      assert.strictEqual(exitCode, 1)
      const { count, group, owner } = JSON.parse(stdout)
      assert.deepStrictEqual(
        { count, group, owner },
        { count: 1, group: "environment-without-integration/sms", owner: "environment" }
      )
    })
  )

  it.effect("are a failure where the service ended the job as failed without a failed detail", () =>
    Effect.gen(function* () {
      const { exitCode } = yield* against([silent], "events", "diagnose", "--fail-on-failures")
      assert.strictEqual(exitCode, 1)
    })
  )

  it.effect("that could not be read are reported first, and are no all-clear", () =>
    Effect.gen(function* () {
      const { executionDetails: _, ...without } = job("in_app", "completed")
      const unread = Array.from({ length: 3 }, () => event(without))
      const { exitCode, stderr } = yield* against(unread, "events", "diagnose", "--fail-on-failures")
      assert.include(
        stderr,
        "3 of 3 events could not be read: whether they failed is unknown\n  3 × jobs[]: executionDetails: Missing key\n"
      )
      assert.include(stderr, "0 failed events in 0 groups among 3 events, 3 unreadable")
      assert.strictEqual(exitCode, 1)
      const { stdout } = yield* against(unread, "events", "list", "--fields", "result", "--limit", "1")
      assert.deepStrictEqual(JSON.parse(stdout), { result: "unknown" })
    })
  )
  it.effect("are diagnosed although steps lack fields that no result needs", () =>
    Effect.gen(function* () {
      const failed = job("sms", "failed", detail("Failed", "Subscriber does not have an active integration"))
      const { stdout } = yield* against([event({ ...failed, step: { name: "Text" } })], "events", "diagnose")
      assert.strictEqual(JSON.parse(stdout).group, "environment-without-integration/sms")
    })
  )

  it.effect("are shown without what the service has deleted", () =>
    Effect.gen(function* () {
      const { _id, createdAt: _createdAt, jobs: _jobs, subscriber: _subscriber, ...deleted } = event()
      const { stdout } = yield* against([deleted], "events", "show", deleted.transactionId, "--table")
      assert.strictEqual(
        stdout,
        `(workflow deleted)  no jobs
time        unknown
subscriber  (deleted)
transaction ${deleted.transactionId}
event       unknown
steps
`
      )
    })
  )

  it.effect("have the causes of the configuration file", () =>
    Effect.gen(function* () {
      const folder = folderOfTest()
      mkdirSync(join(folder, "signalbox"))
      const rule =
        '[[rules]]\nmatch = "moon * late"\ntitle = "the moon is late"\nadvice = "Wait."\nowner = "provider"\n'
      writeFileSync(join(folder, "signalbox", "config.toml"), rule)
      const late = event(job("sms", "failed", detail("Failed", "The moon is 3 h late")))
      const { stdout } = yield* configured(folder, [late], "events", "diagnose")
      const { advice, group, owner, title } = JSON.parse(stdout)
      assert.deepStrictEqual(
        { advice, group, owner, title },
        { advice: "Wait.", group: "own-the-moon-is-late/sms", owner: "provider", title: "the moon is late" }
      )
    })
  )
})
