import { describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as Struct from "effect/Struct"
import { join } from "node:path"
import { expect } from "vitest"
import { clientLayer, makeService, tempFolder, write } from "../../test/TestService.ts"
import * as Runs from "../index.ts"

interface Input extends Partial<Runs.LineRunOptions> {
  readonly kind?: "mark"
  /** Shown in the golden file where it is text. */
  readonly content: string | Buffer
}

const upsert = (credentials: unknown, more: object = {}) =>
  JSON.stringify({ subscriberId: "u", providerId: "fcm", credentials, ...more })

const header = "subscriberId,providerId,deviceTokens\n"

const inputs: Readonly<Record<string, Input>> = {
  "lines.ndjson": {
    content: [
      `\uFEFF${upsert({ deviceTokens: ["a"] }, { integrationIdentifier: "i" })}\r`,
      " \t\r",
      upsert({ deviceTokens: ["a", 7] }),
      ` ${upsert({ deviceTokens: "a", webhookUrl: "https://hooks.test" })}`,
      upsert({ deviceTokens: ["a b", "c"] }),
      upsert({ webhookUrl: "w" }, { providerId: "slack" }),
      upsert({ deviceTokens: ["a"], channel: "c" }, { providerId: "slack" }),
      upsert({ webhookUrl: "https://hooks.test", channel: "c" }, { providerId: "mattermost" }),
      upsert({ deviceTokens: ["a\tb"] }, { subscriberId: "" }),
      upsert({}, { subscriberId: "a/b", providerId: "smoke-signals" }),
      '{"subscriberId":"u","providerId":"fcm","credentials":{"channel":{"a":1}}',
      '{"subscriberId":"u",}',
      "not json",
      "[]",
      "null",
      '"text"',
      '{"subscriberId":"v","credentials":{"title":"no provider"}}',
      upsert({ deviceTokens: ["a"] }, { integrationIdentifier: "i" }),
      upsert({ deviceTokens: ["last"] }),
      upsert({ deviceTokens: [] }),
      upsert({}),
      '{"subscriberId":"u","providerId":"fcm"}'
    ].join("\n")
  },
  "bytes.ndjson": {
    content: Buffer.concat([Buffer.from('{"subscriberId":"Jos'), Buffer.from([0xe9]), Buffer.from('"}\n{}\n')])
  },
  "long.ndjson": {
    content: `${upsert({ deviceTokens: ["x".repeat(2 ** 21)] })}\n${upsert({ deviceTokens: ["short"] })}\n`
  },
  "provider.ndjson": {
    content: [{ subscriberId: "u" }, { subscriberId: "v", providerId: "apns" }]
      .map((line) => `${JSON.stringify({ ...line, credentials: { deviceTokens: ["t"] } })}\n`)
      .join(""),
    defaults: { providerId: "fcm", integrationIdentifier: "i" }
  },
  "empty.ndjson": { content: "\n \n" },
  "spreadsheet.csv": {
    content:
      '\uFEFFsubscriberId;providerId;deviceTokens\r\nu-1;fcm;"a,b"\r\n"u;2";fcm;"c""d"\r\nu-3;fmc;e\r\nu-4 ;fcm;f\r\n'
  },
  "every-column.CSV": {
    content: [
      "externalUrl,state,imageUrl,title,alertUid,channel,webhookUrl,deviceTokens,integrationIdentifier,providerId,subscriberId",
      "https://e.test,s,https://i.test,t,a,,https://w.test,,i,grafana-on-call,u-1",
      ",,,,,,,token,,fcm,u-2",
      ",,,,,,,,,,",
      ",,,,,,,a b,,fcm,u-3",
      ",,,,,,,token,,,u-4",
      ",,,,,c,https://w.test,,,mattermost,u-5",
      ",,,,,,,token,,slack,u-6",
      ",,,,,,w,,,slack,u-7"
    ].join("\n")
  },
  "rows.csv": {
    content: `\uFEFF${header.trim()}\r\nu-1,fcm,token\r\n\r\n  \r\n"u\n2",fcm,"to""ken"\r\nu-3,fcm\r\nu-4,fcm,token,more\r\n,fcm,token\r\nu-1,fcm,token`
  },
  "mapped.csv": {
    content: "user,token,notes\nu-1,token-1,x\n,token-2,\n",
    columns: { subscriberId: "user", deviceTokens: "token" },
    defaults: { providerId: "fcm" }
  },
  "mixed-ends.csv": { content: `${header}u,fcm,token\r\n` },
  "named.txt": { content: `${header}u-1,fcm,token\n`, format: "csv" },
  "latin.csv": { content: Buffer.from(`${header}José,fcm,token\n`, "latin1") },
  "utf16.csv": { content: Buffer.from(`\uFEFF${header}José,fcm,token\n`, "utf16le") },
  "no-column.csv": { content: header, columns: { title: "Title" } },
  "misspelt.csv": { content: "subscriberId,providerID\nu,fcm\n" },
  "unknown.csv": { content: "subscriberId,colour\nu,red\n" },
  "twice.csv": { content: "subscriberId,providerId,subscriberId\nu,fcm,v\n" },
  "tabs.csv": { content: "subscriberId\tproviderId\tdeviceTokens\nu-1\tFCM\ta\n u-2\tfcm\tb" },
  "bars.csv": { content: "subscriberId|providerId\nu|fcm\n" },
  "blank.csv": { content: "\n" },
  "header.csv": { content: header },
  "open-quote.csv": { content: `${header}v,fcm,a\nu,"fcm,b\nw,fcm,c\n` },
  "closed-quote.csv": { content: `${header}u,"fcm"x,b\n` },
  "quote-lines.csv": {
    content: `${header.trim()}\r\n"u\r\n1",fcm,a\r\n\r\nu2,fcm,"b\r\nu3,fcm,c\r\nu4,fcm,"d""\r\nu5,fcm,e\r\n`
  },
  "open-quote-after-lines.csv": { content: `${header.trim()}\r\n"u\r\n1",fcm,a\r\nu2,"fcm,b\r\nu3,fcm,c\r\n` },
  "inner-quote.csv": { content: `${header}u,fc"m,b\n` },
  "long.csv": { content: `${header}u,fcm,${"x".repeat(2 ** 21)}\n` },
  "marks.ndjson": {
    kind: "mark",
    content: [
      '{"subscriberId":"u","messageId":"m1"}',
      '{"subscriberId":"u","messageId":["m2","m3"],"markAs":"unseen"}',
      '{"subscriberId":"u","messageId":[],"markAs":"read"}',
      '{"subscriberId":"u","messageId":"m4","markAs":"liked"}'
    ].join("\n"),
    defaults: { markAs: "seen" }
  },
  "marks.csv": { kind: "mark", content: "subscriberId,messageId,markAs\nu,m1,read\nu,m2,\n" },
  "mark-defaults.csv": { kind: "mark", content: "", defaults: { providerId: "fcm" } },
  "defaults.csv": { content: "", defaults: { deviceTokens: "secret" } },
  "columns.csv": { content: "", columns: { token: "x" } },
  "concurrency-0.ndjson": { content: "", concurrency: 0 },
  "concurrency-1001.ndjson": { content: "", concurrency: 1001 },
  "concurrency-1.5.ndjson": { content: "", concurrency: 1.5 },
  "retention.ndjson": { content: "", keyRetentionMs: -1 },
  "retention-1.5.ndjson": { content: "", keyRetentionMs: 1.5 }
}

/** A line of the golden file has at most this many characters of content. */
const shownCharacters = 200

const indented = (text: string): ReadonlyArray<string> =>
  text.split("\n").map((line) => `  | ${JSON.stringify(line).slice(1, -1).slice(0, shownCharacters)}`)

/** The check of an input, and the requests and the report of its run. */
const shown = Effect.fnUntraced(function* (folder: string, name: string, { content, kind, ...options }: Input) {
  const { environment, fetch } = makeService()
  const requests: Array<string> = []
  const recording: typeof globalThis.fetch = (url, init) => {
    requests.push(`  ${init?.method} ${new URL(String(url)).pathname} ${String(init?.body).slice(0, shownCharacters)}`)
    return fetch(url, init)
  }
  const input = write(folder, name, content)
  const [check, start] = kind === "mark" ? [Runs.checkMark, Runs.startMark] : [Runs.checkImport, Runs.startImport]
  // Several inputs have the same lines.
  const given: Runs.LineRunOptions = { concurrency: 1, ...options, input, validate: "during", again: true }
  const checked = yield* check(given).pipe(
    Effect.match({
      onFailure: ({ _tag, message }) => [`  ${_tag}: ${message}`],
      onSuccess: ({ invalidLines, issues, lastLine, lines, repeatedLines }) => [
        `  ${lines} lines, the last one is ${lastLine}, ${invalidLines} invalid, repeated: ${repeatedLines.join() || "none"}`,
        ...issues.map((issue) => `  ${Runs.issueLine(input, issue)}`)
      ]
    })
  )
  const failure = yield* start(given).pipe(
    Effect.provide(clientLayer(environment.apiKey, recording)),
    Effect.match({ onFailure: ({ _tag, message }) => [`  ${_tag}: ${message}`], onSuccess: () => [] })
  )
  const report = yield* Stream.runCollect(Runs.report(input)).pipe(
    Effect.match({
      onFailure: () => [],
      onSuccess: (lines) => lines.map((line) => `  ${JSON.stringify(Struct.omit(line, ["requestId"]))}`)
    })
  )
  const text = typeof content === "string" ? indented(content) : []
  const parts = [[`== ${name}`], text, checked, failure, requests, report]
  return `${parts.flat().join("\n").replaceAll(`${folder}/`, "")}\n`
})

describe("an input", () => {
  it.live("is checked, sent and reported by its format", () =>
    Effect.gen(function* () {
      const folder = yield* tempFolder
      const golden = yield* Effect.forEach(Object.entries(inputs), ([name, input]) => shown(folder, name, input))
      yield* Effect.promise(() => expect(golden.join("\n")).toMatchFileSnapshot("./inputs.txt"))
    }).pipe(Effect.scoped)
  )

  it.live("that cannot be read is named with the reason", () =>
    Effect.gen(function* () {
      const folder = yield* tempFolder
      const messageOf = (input: string) =>
        Effect.map(Effect.flip(Runs.checkImport({ input })), ({ message }) => message.replace(`${folder}/`, ""))
      expect(yield* Effect.forEach([join(folder, "missing.ndjson"), "/dev/null", folder], messageOf)).toEqual([
        "cannot read missing.ndjson: no such file",
        "cannot read /dev/null: it is not a file",
        `cannot read ${folder}: it is not a file`
      ])
    }).pipe(Effect.scoped)
  )
})
