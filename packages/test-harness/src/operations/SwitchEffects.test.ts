import { assert, describe, expect, it } from "@effect/vitest"
import { createHash } from "node:crypto"
import { addEvent, addIntegration, addMessage, addWorkflow } from "../generate/Builders.ts"
import { addSubscriber } from "../state/Subscribers.ts"
import { empty, type EnvironmentState, putMessage } from "../state/EnvironmentState.ts"
import type { SwitchName, Switches } from "../switches/Switches.ts"
import { isOfPipeline } from "../../test/pipelineSwitches.ts"
import * as SwitchTable from "../switches/Switches.ts"
import { trigger } from "../trigger/Trigger.ts"
import type { OperationResponse, OperationResult } from "./OperationResponse.ts"
import { upsertCredentials } from "./CredentialsUpsert.ts"
import { listEvents } from "./EventsList.ts"
import { markMessagesAs } from "./MessagesMarkAs.ts"

const start = Date.UTC(2026, 10, 1)
const day = 86_400_000
const now = start + 60 * day

/** A small environment in which every switch has an effect. */
const scene = () => {
  let state = empty(5)
  ;({ state } = addIntegration(state, start, { providerId: "fcm", identifier: "fcm-old" }))
  ;({ state } = addIntegration(state, start + 1, { providerId: "fcm", identifier: "fcm-new" }))
  ;({ state } = addIntegration(state, start, { providerId: "slack", identifier: "slack-main" }))
  ;({ state } = addIntegration(state, start, { providerId: "discord", identifier: "discord-off", active: false }))
  ;({ state } = addIntegration(state, start, { providerId: "sendgrid" }))
  ;({ state } = addSubscriber(state, start, {
    subscriberId: "ana",
    firstName: "Ana",
    email: "ana@example.test",
    topics: ["news"]
  }))
  ;({ state } = addSubscriber(state, start, { subscriberId: "bo", lastName: "Anand", email: "bo@example.test" }))
  ;({ state } = addWorkflow(state, start, {
    identifier: "all",
    steps: [
      {
        type: "email",
        name: "Mail",
        content: "Hello",
        filters: [
          {
            isNegated: false,
            type: "GROUP",
            value: "AND",
            children: [{ on: "payload", field: "n", operator: "NOT_EQUAL", value: "0" }]
          }
        ]
      },
      { type: "custom", name: "Call" },
      { type: "delay", name: "Wait", wait: { amount: 1, unit: "hours" } },
      { type: "digest", name: "Collect", wait: { amount: 1, unit: "hours" } }
    ]
  }))
  ;({ state } = trigger(state, start + 30 * day, { workflow: "all", to: "ana", payload: { n: 1 } }))
  ;({ state } = trigger(state, now - 7_000_000, { workflow: "all", to: "bo", severity: "none", topics: ["t1", "t2"] }))
  const tie = now - 2 * day
  const tied = (contextKeys: ReadonlyArray<string>, topicKey: string, transactionId: string) => {
    ;({ state } = addEvent(state, tie, {
      subscriberId: "ana",
      workflow: "all",
      contextKeys,
      transactionId,
      severity: "high",
      topics: [{ id: "1".repeat(24), key: topicKey, subscriptionId: `${topicKey}-subscription` }]
    }))
  }
  tied(["a:1"], "t1", "x1")
  tied(["a:1", "b:2"], "t2", "x2")
  tied(["b:2"], "t3", "x3")
  tied([], "t4", "x4")
  tied(["c:3", "b:2", "a:1"], "t5", "x5")
  ;({ state } = addEvent(state, now - 10 * day, { subscriberId: "bo", workflow: "all" }))
  ;({ state } = addEvent(state, now - 50 * day, { subscriberId: "bo", workflow: "all" }))
  ;({ state } = addEvent(state, now - 200 * day, { subscriberId: "bo", workflow: "all" }))
  const ids: Array<string> = []
  const message = (read: boolean, seen: boolean, at: number) => {
    const made = addMessage(state, start + at, {
      subscriberId: "ana",
      read,
      seen,
      contextKeys: ["a:1"],
      ...(read ? { lastReadDate: start + 5 } : {}),
      ...(seen ? { lastSeenDate: start + 5 } : {})
    })
    ;({ state } = made)
    ids.push(made.message.id)
  }
  for (const [at, [read, seen]] of (
    [
      [true, true],
      [true, false],
      [false, true],
      [false, false],
      [true, true]
    ] as const
  ).entries()) {
    message(read, seen, at === 4 ? 1000 : 100 - at)
  }
  const mail = addMessage(state, start + 50, { subscriberId: "ana", channel: "email" })
  const bare = addMessage(mail.state, start + 60, { subscriberId: "ana" })
  const { content: _, ...withoutContent } = bare.message
  ids.push(mail.message.id, bare.message.id)
  return { state: putMessage(bare.state, withoutContent), ids }
}

const { ids, state: initial } = scene()

/** A request of the program and its response as one line. */
interface Exchange {
  readonly request: string
  readonly line: string
}

const lineOf = ({ body, headers, status }: OperationResponse): string =>
  `${status} ${JSON.stringify(headers ?? {})} ${JSON.stringify(body)}`

/** Runs a fixed program that covers everything. */
const play = (switches: Switches): ReadonlyArray<Exchange> => {
  const exchanges: Array<Exchange> = []
  let state: EnvironmentState = initial
  let time = now
  const step = (
    request: string,
    operation: (context: { switches: Switches; now: number; path: string }) => OperationResult
  ) => {
    time += 1000
    const result = operation({ switches, now: time, path: "/v1/test" })
    ;({ state } = result)
    exchanges.push({ request, line: lineOf(result.response) })
  }
  const upsert = (subscriberId: string, payload: unknown) =>
    step(`upsert ${subscriberId} ${JSON.stringify(payload)}`, (context) =>
      upsertCredentials(state, context, subscriberId, payload)
    )
  const mark = (subscriberId: string, payload: unknown) =>
    step(`mark ${subscriberId} ${JSON.stringify(payload)}`, (context) =>
      markMessagesAs(state, context, subscriberId, payload)
    )
  const list = (query: string) => step(`list ${query}`, (context) => listEvents(state, context, query))
  const fcm = (credentials: unknown, integrationIdentifier?: string) =>
    upsert("ana", {
      providerId: "fcm",
      credentials,
      ...(integrationIdentifier === undefined ? {} : { integrationIdentifier })
    })

  fcm({ deviceTokens: ["a", "b"] }, "fcm-new")
  fcm({ deviceTokens: ["b", "c"] }, "fcm-new")
  fcm({ deviceTokens: [] }, "fcm-new")
  fcm({ deviceTokens: ["a"], title: "T" }, "fcm-new")
  fcm({ webhookUrl: "https://hook.test/1" }, "fcm-new")
  fcm({ webhookUrl: "https://hook.test/1" }, "fcm-new")
  fcm({ deviceTokens: ["z"] }, "fcm-old")
  fcm({ deviceTokens: ["y"] })
  fcm({ deviceTokens: Array.from({ length: 101 }, (_, at) => `t${at}`) }, "fcm-new")
  // With an entry for only one integration, a request that names none shows which one applies.
  upsert("bo", { providerId: "fcm", credentials: { deviceTokens: ["q"] }, integrationIdentifier: "fcm-old" })
  upsert("bo", { providerId: "fcm", credentials: { deviceTokens: ["r"] } })
  upsert("nobody", { providerId: "slack", credentials: {} })
  upsert("bo", { providerId: "apns", credentials: { deviceTokens: ["p"] } })
  upsert("bo", { providerId: "discord", credentials: {} })
  upsert("bo", { providerId: "slack", credentials: { webhookUrl: "https://hook.test/2", channel: "c" } })
  upsert("bo", { providerId: "slack", credentials: { webhookUrl: null } })
  upsert("bo", { providerId: "slack", credentials: { webhookUrl: 7 } })
  upsert("bo", { providerId: "slack", credentials: {}, surprise: 1 })
  upsert("bo", { providerId: "telepathy", credentials: {} })
  upsert("bo", {})
  upsert("bo", { providerId: "fcm", credentials: {}, integrationIdentifier: "" })
  upsert("bo", { providerId: "slack", credentials: { webhookUrl: "https://hook.test/3", channel: "c" } })
  upsert("bo", { providerId: "slack", credentials: { channel: "c", webhookUrl: "https://hook.test/3" } })

  const all = ids.toReversed()
  mark("ana", { messageId: all, markAs: "read" })
  mark("ana", { messageId: all, markAs: "unread" })
  mark("ana", { messageId: all, markAs: "seen" })
  mark("ana", { messageId: all, markAs: "unseen" })
  state = { ...state, messages: initial.messages }
  mark("ana", { messageId: all, markAs: "unread" })
  state = { ...state, messages: initial.messages }
  mark("ana", { messageId: all, markAs: "unseen" })
  state = { ...state, messages: initial.messages }
  mark("ana", { messageId: all, markAs: "seen" })
  mark("ana", { messageId: [ids[0], ids[0]], markAs: "read" })
  mark("ana", { messageId: ["f".repeat(24)], markAs: "read" })
  mark("ana", { messageId: ["nope"], markAs: "read" })
  mark("ana", { messageId: [], markAs: "read" })
  mark("ana", { messageId: ids[0], markAs: "opened" })
  mark("nobody", { messageId: ids[0], markAs: "read" })
  mark("ana", { messageId: Array.from({ length: 101 }, () => ids[0]), markAs: "read" })

  list("")
  list("limit=50")
  list("limit=4")
  for (const limit of ["0", "51", "1.5", "x"]) list(`limit=${limit}`)
  for (const page of ["-1", "x"]) list(`page=${page}`)
  list("page=9")
  list("subscriberIds=nobody&page=3")
  for (const query of ["channels=sms", "channels[]=sms", "channels[0]=sms", "channels=sms,email"]) list(query)
  list("subscriberIds=ana&severity=none")
  list("subscriberIds=ana&emails=bo@example.test")
  const tie = new Date(now - 2 * day).toISOString()
  list(`after=${tie}`)
  list(`before=${tie}`)
  list("after=soon")
  list("after=Sat, 05 Dec 2026 00:00:00 GMT")
  list("after=2026-12-05 00:00Z")
  list("after=2026-12-20&before=2026-12-01")
  list("after=2026-01-01")
  list("channels=fax")
  list("templates=all")
  list("severity=loud")
  list("surprise=1")
  list("transactionId=x1&transactionId=x2")
  list("topicKey=t1&topicKey=t2")
  list("subscriptionId=t1-subscription")
  list("transactionId=x1&limit=1")
  list("search=ana")
  list("search=ANA@")
  list("contextKeys=a:1&contextKeys=b:2")
  list("contextKeys=")
  list("severity=none")
  list("search[]=ana")
  list("limit=1&limit=2")
  list("channels=")
  list("channels=digest")
  list(Array.from({ length: 21 }, () => "subscriberIds=ana").join("&"))
  return exchanges
}

/** The other switches that a switch needs to have an effect. */
const needs: { readonly [Name in SwitchName]?: Partial<Switches> } = {
  "list.beyondRetention": { "list.retention": "30d" },
  "list.channels": { "list.badChannel": "422" },
  "credentials.severalIntegrations": {},
  "credentials.entry": {},
  "list.subscriberFilters": { "list.filters": "all" }
}

const played = new Map<string, ReadonlyArray<Exchange>>()

/** The program with some switches; it is played once. */
const playOf = (values: Partial<Switches>): ReadonlyArray<Exchange> => {
  const switches = { ...SwitchTable.document, ...values }
  const key = JSON.stringify(switches)
  const exchanges = played.get(key) ?? play(switches)
  played.set(key, exchanges)
  return exchanges
}

const linesOf = (exchanges: ReadonlyArray<Exchange>): string => exchanges.map(({ line }) => line).join("\n")

const digestOf = (text: string): string => createHash("sha256").update(text).digest("hex").slice(0, 12)

/** The start of a string, and a digest of all of it. */
const cut = (text: string, length: number): string =>
  text.length <= length ? text : `${text.slice(0, length)}… (${text.length} characters, ${digestOf(text)})`

/** How a response differs from the usual one. */
const differenceOf = (line: string, usual: string): string => {
  let at = 0
  while (line[at] === usual[at]) at += 1
  return line.length <= 160 ? line : `…${cut(line.slice(Math.max(0, at - 30)), 100)}`
}

/** How many responses of a value are shown; a digest has all of them. */
const shown = 5

/** The effect of a value of a switch. */
const changesOf = (name: SwitchName, value: string): ReadonlyArray<string> => {
  const usual = playOf({ ...needs[name] })
  const changed = playOf({ ...needs[name], [name]: value }).flatMap(({ line, request }, at) => {
    const before = usual[at]?.line ?? line
    return line === before ? [] : [[`  ${cut(request, 160)}`, `    ${differenceOf(line, before)}`]]
  })
  const all = digestOf(JSON.stringify(changed))
  return ["", `${name}: ${value} (${changed.length} responses, ${all})`, ...changed.slice(0, shown).flat()]
}

const decided = SwitchTable.switchNames.filter((name) => !isOfPipeline(name))

describe("SwitchEffects", () => {
  // The first test plays every program: a mutation run learns from it which code the file depends on.
  it("effects.txt has the responses, and what each value changes (vitest run SwitchEffects -u updates it)", async () => {
    const lines = playOf({}).flatMap(({ line, request }) => [cut(request, 160), `  ${cut(line, 700)}`])
    const changes = decided.flatMap((name) =>
      SwitchTable.switchRow(name)
        .values.filter((value) => value !== SwitchTable.document[name])
        .flatMap((value) => changesOf(name, value))
    )
    await expect(`${[...lines, ...changes].join("\n")}\n`).toMatchFileSnapshot("./effects.txt")
  }, 60_000)

  for (const name of decided) {
    it(`${name}: every value affects some response`, () => {
      const { values } = SwitchTable.switchRow(name)
      const transcripts = values.map((value) => linesOf(playOf({ ...needs[name], [name]: value })))
      for (const [at, transcript] of transcripts.entries()) {
        assert.strictEqual(transcripts.indexOf(transcript), at, `${values[at]} shows no difference`)
      }
    })
  }

  it("the same program returns the same bytes again", () => {
    for (const switches of [SwitchTable.document, SwitchTable.observed, SwitchTable.adversarial]) {
      assert.strictEqual(linesOf(play(switches)), linesOf(play(switches)))
    }
  })
})
