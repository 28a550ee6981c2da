/** Every exit of the terminal UI, with the same record: which of its secrets, personal data and control sequences leave. */
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { ActivityNotification } from "@signalbox/core/Schemas"
import * as Transport from "@signalbox/core/Transport"
import { protectKey } from "@signalbox/operator/connections/OwnKeys"
import type { Exit } from "@signalbox/operator/outlet/Outlet"
import { type Allowed, canaryEvent, canaryKey, canaryLine, escapedFrom } from "@signalbox/testing/Canary"
import { folderOfTest } from "@signalbox/testing/Folder"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { makeRecorder } from "../src/recording/Recorder.ts"
import { formatExchange } from "../src/recording/Recording.ts"
import { makeHost } from "../src/runtime/Host.ts"
import type { Command } from "../src/state/Command.ts"
import { initial, now, page, play, pressed, screen } from "./Sample.ts"

protectKey(Redacted.make(canaryKey))

const record = Schema.decodeSync(ActivityNotification)({
  ...canaryEvent,
  createdAt: new Date(now).toISOString()
})
const problem = { summary: canaryLine, advice: canaryLine, fields: [{ path: "a", message: canaryLine }], at: now }

const at = (columns: number, ...keys: ReadonlyArray<string>) =>
  play(initial({ columns, rows: 60 }), page([record, record]), pressed(...keys))

/** A machine that keeps what leaves it, and its clipboard. */
const machine = (environment: Readonly<Record<string, string>> = {}) => {
  const written: Array<string> = []
  let away: Promise<void> = Promise.resolve()
  const host = makeHost({
    environment,
    write: (text) => written.push(text),
    suspendTerminal: () => (whileAway) => {
      away = Promise.resolve(whileAway())
      return away
    },
    leave: () => {},
    redraw: () => {}
  })
  return { host, written, whileAway: () => away }
}

/** The text that a command copies, as another program pastes it. */
const pasted = (commands: ReadonlyArray<Command>): string =>
  commands
    .flatMap((command) => (command._tag === "Copy" ? [command.text] : []))
    .map((text) => {
      const { host, written } = machine()
      host.copy(text, "text", () => {})
      return atob(written.join("").split(";c;")[1]?.replace(/.$/u, "") ?? "")
    })
    .join("\n")

/** Only the request shows that this is a secret. */
const sent = "device SECRETNAMED 77"

const recording = async (): Promise<string> => {
  const recorder = makeRecorder()
  const lines: Array<string> = []
  recorder.start({
    startedAt: 0,
    keep: (exchange) => Effect.sync(() => void lines.push(formatExchange(exchange))),
    hide: (value) => value
  })
  const below = Layer.succeed(Transport.Transport, {
    send: () =>
      Effect.succeed({
        status: 200,
        headers: { "x-request-id": canaryLine },
        text: JSON.stringify({ ...record, repeated: sent })
      })
  })
  const request = {
    method: "PATCH",
    url: `https://api.example.test/v1?note=${encodeURIComponent(canaryLine)}`,
    headers: { authorization: `ApiKey ${canaryKey}` },
    body: JSON.stringify({ note: canaryLine, key: canaryKey, deviceTokens: [sent] })
  } as const
  await Effect.runPromise(
    Transport.Transport.use(({ send }) => send(request)).pipe(Effect.provide(recorder.layer.pipe(Layer.provide(below))))
  )
  return lines.join("")
}

/** Saves the text of a screen, and the report of an incident. */
const saved = (): string =>
  [
    ...at(120, ":", ..."report", "enter").commands,
    ...at(120, "enter", "z", ":", ..."save", "enter").commands,
    { _tag: "SaveFile", name: "", text: JSON.stringify(record, undefined, 2), what: "text" } as const
  ]
    .flatMap((command) => (command._tag === "SaveFile" ? [command.text] : []))
    .map((text, index) => {
      const name = join(folderOfTest(), `saved-${index}.txt`)
      machine().host.save(name, text, "text")
      return readFileSync(name, "utf8")
    })
    .join("\n")

const paged = async (): Promise<string> => {
  const folder = folderOfTest()
  const script = join(folder, "pager.sh")
  writeFileSync(script, `cp "$1" "${folder}/seen"`)
  const { host, whileAway } = machine({ PAGER: `sh ${script}` })
  host.page(`${canaryLine}\n${JSON.stringify(record, undefined, 2)}`, () => {})
  await whileAway()
  return readFileSync(join(folder, "seen"), "utf8")
}

const screens = [
  [],
  ["enter"],
  ["p"],
  ["enter", "p"],
  ["enter", "enter"],
  ["z"],
  ["enter", "z"],
  ["J"],
  ["s", "E"],
  ["s"],
  ["m"],
  ["c"],
  ["space", "j", "space", "="],
  ["f"],
  ["H"]
]

const drawn = (): string =>
  screens
    .flatMap((keys) => [80, 200].map((columns) => at(columns, ...keys).state))
    .flatMap((state) => [
      state,
      play(state, { _tag: "EventsFailed", screenId: 0, mode: "refresh", problem }).state,
      play(state, { _tag: "Noticed", notice: { text: canaryLine, tone: "failed" } }).state
    ])
    .flatMap(screen)
    .join("\n")

/** The canaries that may leave by each exit; the command line's test has the rest of the table. */
const leaving: Readonly<
  Record<
    Extract<Exit, "terminal" | "clipboard" | "files" | "recordings" | "own">,
    { readonly may: Allowed; readonly text: () => string | Promise<string> }
  >
> = {
  terminal: { may: ["personal"], text: async () => `${drawn()}\n${await paged()}` },
  clipboard: {
    may: ["personal", "escapes"],
    text: () =>
      pasted([
        ...["y y", "y s", "y c", "Y"].flatMap((keys) => at(120, ...keys.split(" ")).commands),
        ...at(120, "p", "y").commands,
        ...play(at(120).state, { _tag: "EventsFailed", screenId: 0, mode: "refresh", problem }, pressed("y", "p"))
          .commands,
        { _tag: "Copy", text: JSON.stringify(record), what: "text" }
      ])
  },
  files: { may: ["personal", "escapes"], text: saved },
  recordings: { may: ["personal"], text: recording },
  own: {
    may: ["personal", "escapes"],
    text: () => {
      const { host, written } = machine()
      host.ring(canaryLine)
      return written.join("")
    }
  }
}

describe("the exits of the terminal UI", () => {
  it.each(Object.entries(leaving))("let only what the table allows pass: %s", async (_exit, { may, text }) => {
    const left = await text()
    assert.isAbove(left.length, 100)
    assert.deepStrictEqual(escapedFrom(left, may), [])
  })
  it("draw what a screen is about", () => {
    assert.include(drawn(), "Adacanary")
  })
})
