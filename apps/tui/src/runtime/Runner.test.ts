import { it } from "@effect/vitest"
import { Credentials } from "@signalbox/core/Credentials"
import * as FetchTransport from "@signalbox/core/FetchTransport"
import { createFake, Fault, manualClock } from "@signalbox/test-harness"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { expect } from "vitest"
import { event, now } from "../../test/Sample.ts"
import type { Command } from "../state/Command.ts"
import type { Msg } from "../state/Msg.ts"
import type { Host } from "./Host.ts"
import { makeRunner } from "./Runner.ts"
import { makeRuntime } from "./Session.ts"

/** A subscriber and two messages, five events of the demo, and one event that is loaded. */
const open = () => {
  const fake = createFake({ seed: 1, clock: manualClock(now), data: "demo", events: 5 })
  fake.addSubscriber({ subscriberId: "u_1" })
  for (const id of ["m1", "m2"]) fake.addMessage({ subscriberId: "u_1", id })
  const { transactionId } = fake.addEvent({ subscriberId: "u_1", workflow: "order-confirmed", createdAt: now })
  return { fake, loaded: { ...event(0), transactionId } }
}

type Opened = ReturnType<typeof open>

const screenId = 1

const mark = (...ids: ReadonlyArray<string>): Command => ({
  _tag: "MarkMessages",
  screenId,
  mark: { number: 1, subscriberId: "u_1", ids, markAs: "read", undoes: undefined }
})

const credentials = (subscriberId: string): Command => ({
  _tag: "UpsertCredentials",
  screenId,
  subscriberId,
  input: { providerId: "slack", credentials: { webhookUrl: "https://hooks.example.test/services/T0/B0/K7q2x9" } }
})

const commands: ReadonlyArray<Command | ((opened: Opened) => Command)> = [
  ...(["first", "more", "refresh", "tail"] as const).map((mode): Command => ({
    _tag: "LoadEvents",
    screenId,
    mode,
    filters: { limit: 3 },
    page: 0
  })),
  ({ fake }) => {
    fake.faults.add(Fault.status(401))
    return { _tag: "LoadEvents", screenId, mode: "tail", filters: {}, page: 0 }
  },
  ({ fake }) => {
    fake.faults.add(Fault.status(403))
    return { _tag: "LoadWindow", screenId, filters: {}, range: { from: now - 3_600_000, to: now }, name: "1h" }
  },
  ({ loaded }) => ({ _tag: "LoadEvent", screenId, event: loaded }),
  ({ loaded }) => ({ _tag: "LoadEvent", screenId, event: loaded, delay: 1 }),
  { _tag: "LoadEvent", screenId, event: event(3) },
  credentials("u_1"),
  credentials("nobody"),
  mark("m1", "m2"),
  mark("m1", "nope"),
  ({ fake }) => {
    fake.faults.add(Fault.status(400))
    return mark("m1")
  },
  { _tag: "TriggerAgain", event: event(3) },
  ({ loaded: { transactionId } }) => ({ _tag: "FindEvent", transactionId }),
  ({ fake }) => {
    fake.faults.add(Fault.status(404))
    return { _tag: "FindEvent", transactionId: "txn" }
  },
  { _tag: "Copy", text: "txn_1", what: "transaction id" },
  { _tag: "SaveFile", name: "report.md", text: "report", what: "report" },
  { _tag: "Ring", text: "2 new" },
  { _tag: "KeepCauses", connection: "acme", change: { cause: "a", note: "asked" } as never },
  { _tag: "KeepPrompts", typed: new Map() },
  { _tag: "OpenUrl", url: "https://example.test" },
  { _tag: "OpenPager", text: "whole" },
  { _tag: "Connect", name: "nowhere" },
  { _tag: "RunFile", file: "fixes.csv" },
  { _tag: "RunFile", file: "refused.csv" },
  { _tag: "PauseRun" },
  { _tag: "StopReading" },
  { _tag: "StopRecording" },
  { _tag: "MaskMore" },
  { _tag: "Suspend" },
  { _tag: "Redraw" },
  { _tag: "Connect", name: "staging" },
  { _tag: "Quit" }
]

/** Times and keys that differ between runs. */
const varying: ReadonlySet<string> = new Set(["durationMs", "delayMs", "idempotencyKey", "requestId", "at", "raw"])

const short = (key: string, value: unknown): unknown => {
  if (varying.has(key)) return undefined
  if (value instanceof Map) return [...value]
  return typeof value === "object" && value !== null && "transactionId" in value && "_id" in value ? value._id : value
}

it("the runner sends a message for each step and outcome of a command", async () => {
  const opened = open()
  const { fake } = opened
  const lines: Array<string> = []
  const note = (what: string, value: unknown) =>
    void lines.push(`  ${what} ${JSON.stringify(value, short)}`.replaceAll(/"startedAt":\d{13}/gu, '"startedAt":NOW'))
  /** A host that records its calls. */
  const host = new Proxy({} as Host, {
    get:
      (_, name) =>
      (...args: ReadonlyArray<unknown>) => {
        const done = args.at(-1)
        note(
          `host.${String(name)}`,
          args.filter((arg) => typeof arg !== "function")
        )
        if (typeof done === "function") done({ text: "done", tone: "ok" })
        return name === "save" ? { text: "saved", tone: "ok" } : name === "keepCauses" ? "disk full" : undefined
      }
  })
  const session = (name: string) => ({
    info: { name, kind: "live", baseUrl: fake.baseUrl, readOnly: false, choices: [] } as const,
    apiKey: Redacted.make(fake.apiKey),
    runtime: makeRuntime({ apiKey: fake.apiKey, baseUrl: fake.baseUrl }, FetchTransport.layer(fake.fetch))
  })
  let changed = () => {}
  const dispatch = ({ _tag, ...rest }: Msg) => {
    note(_tag, rest)
    changed()
  }
  const runner = makeRunner({
    session: session("acme"),
    dispatch,
    host,
    connect: (name) => (name === "staging" ? Effect.succeed(session(name)) : Effect.fail({ message: `no ${name}` })),
    now: () => now,
    isMasked: () => false,
    runFile: (file, { connection, service }, report) =>
      Effect.gen(function* () {
        note("run", [file, connection, service])
        if (file === "refused.csv") return yield* Effect.fail({ message: "the key is refused" })
        const { upsert } = yield* Credentials
        const credentials = { webhookUrl: "https://hooks.example.test/1" }
        yield* Effect.orDie(upsert("u_1", { providerId: "slack", credentials }))
        report({ lines: [] })
        return { total: 1, counts: { succeeded: 1, failed: 0, unknown: 0, invalid: 0 } }
      })
  })
  for (const each of commands) {
    const command = typeof each === "function" ? each(opened) : each
    lines.push("", `${command._tag} ${JSON.stringify(command, short)}`)
    runner.run(command)
    await new Promise<void>((resolve) => {
      changed = () => void setImmediate(() => runner.running() === 0 && resolve())
      changed()
    })
  }
  await runner.close()
  await expect(`${lines.slice(1).join("\n")}\n`).toMatchFileSnapshot("../../test/golden/runner.txt")
})
