import { assert, describe, it } from "@effect/vitest"
import { addEvent, addIntegration, addMessage, addWorkflow } from "../generate/Builders.ts"
import { addSubscriber } from "../state/Subscribers.ts"
import { empty, type EnvironmentState } from "../state/EnvironmentState.ts"
import * as Switches from "../switches/Switches.ts"
import { upsertCredentials } from "./CredentialsUpsert.ts"
import { listEvents } from "./EventsList.ts"
import { markMessagesAs } from "./MessagesMarkAs.ts"

const now = Date.UTC(2026, 10, 21, 8)
const at = new Date(now).toISOString()
const hour = 3_600_000

const context = { switches: Switches.observed, now, path: "/v1/notifications?limit=51" }

const scene = () => {
  let state = empty(2)
  ;({ state } = addIntegration(state, now - 2 * hour, { providerId: "fcm", identifier: "old" }))
  ;({ state } = addIntegration(state, now - hour, { providerId: "fcm", identifier: "new" }))
  ;({ state } = addIntegration(state, now, { providerId: "discord", active: false }))
  ;({ state } = addSubscriber(state, now - hour, { subscriberId: "ana", email: "Ana@example.test" }))
  ;({ state } = addWorkflow(state, now, { identifier: "flow", steps: [{ type: "email" }] }))
  return state
}

const upsert = (state: EnvironmentState, credentials: object, providerId = "fcm", subscriberId = "ana") =>
  upsertCredentials(state, context, subscriberId, { providerId, credentials })

const tokens = (body: unknown) => JSON.stringify(body).match(/"credentials":(\{[^}]*\})/u)?.[1]

describe("the preset observed", () => {
  it("wraps the responses to writes, not the event list", () => {
    const written = upsert(scene(), { deviceTokens: ["a"] }).response.body
    assert.deepStrictEqual(Object.keys(Object(written)), ["data"])
    const page = listEvents(scene(), context, "").response.body
    assert.deepStrictEqual(page, { data: [], hasMore: false, page: 0, pageSize: 10 })
  })

  it("merges tokens without duplicates, clears them with [], and drops them if the field is omitted", () => {
    const one = upsert(scene(), { deviceTokens: ["a", "a", "b"] })
    assert.strictEqual(tokens(one.response.body), '{"deviceTokens":["a","b"]}')
    const two = upsert(one.state, { deviceTokens: ["c", "a"] })
    assert.strictEqual(tokens(two.response.body), '{"deviceTokens":["a","b","c"]}')
    assert.strictEqual(tokens(upsert(two.state, { deviceTokens: [] }).response.body), '{"deviceTokens":[]}')
    assert.strictEqual(
      tokens(upsert(two.state, { webhookUrl: "u" }).response.body),
      '{"webhookUrl":"u","deviceTokens":[]}'
    )
    assert.strictEqual(upsert(one.state, { deviceTokens: ["a", "b"] }).state.sequence, one.state.sequence)
  })

  it("drops fields that it does not store, ignores null, and returns no integration identifier", () => {
    const { response } = upsert(scene(), { alertUid: "1", title: "t", channel: "c", webhookUrl: null })
    assert.strictEqual(tokens(response.body), '{"channel":"c"}')
    assert.notInclude(JSON.stringify(response.body), "integrationIdentifier")
  })

  it("uses the newest active integration, and rejects an inactive one with 400", () => {
    const state = scene()
    const newest = state.integrations.find(({ identifier }) => identifier === "new")
    assert.include(JSON.stringify(upsert(state, {}).response.body), newest?.id ?? "missing")
    const { body, status } = upsert(state, {}, "discord").response
    assert.strictEqual(status, 400)
    const message = `Subscribers environment (${state.environmentId}) do not have active discord integration.`
    assert.deepStrictEqual(body, {
      statusCode: 400,
      timestamp: at,
      path: context.path,
      message,
      ctx: { error: "Bad Request", statusCode: 400 },
      error: "Bad Request"
    })
  })

  it("responds with 400 to an upsert for an unknown subscriber, and with 404 to marking its messages", () => {
    const { response } = upsert(scene(), {}, "fcm", "nobody")
    assert.strictEqual(response.status, 400)
    assert.include(JSON.stringify(response.body), "SubscriberId: nobody not found")
    const marked = markMessagesAs(scene(), context, "nobody", { messageId: "a".repeat(24), markAs: "read" })
    assert.strictEqual(marked.response.status, 404)
    assert.include(JSON.stringify(marked.response.body), "Subscriber nobody not found")
  })

  it("stores at most 100 tokens, and reports how many there were", () => {
    const deviceTokens = Array.from({ length: 104 }, (_, number) => `t${number}`)
    const { body, status } = upsert(scene(), { deviceTokens }).response
    assert.strictEqual(status, 400)
    assert.deepInclude(body, { currentCount: 104, limit: 100, ctx: { currentCount: 104, limit: 100 } })
  })

  it("reports all problems with a body under general", () => {
    const { body, status } = upsert(scene(), {}, "telepathy").response
    assert.strictEqual(status, 422)
    assert.deepInclude(body, {
      message: "Validation Error",
      ctx: {},
      errors: { general: { messages: ["providerId must be a valid provider ID"], value: "No Value Recorded" } }
    })
  })

  const marks = [
    ["read", { read: true, seen: true, lastReadDate: at, lastSeenDate: at }],
    ["unread", { read: false, seen: true, lastReadDate: at, lastSeenDate: at }],
    ["seen", { read: true, seen: true, lastReadDate: undefined, lastSeenDate: at }],
    ["unseen", { read: true, seen: false, lastReadDate: undefined, lastSeenDate: at }]
  ] as const

  for (const [markAs, expected] of marks) {
    it(`${markAs} affects both flags and both dates`, () => {
      const { message, state } = addMessage(scene(), now - hour, { subscriberId: "ana", read: true, channel: "email" })
      const { body } = markMessagesAs(state, context, "ana", { messageId: [message.id, message.id], markAs }).response
      const [first, ...others]: ReadonlyArray<Record<string, unknown>> = Object(body).data
      assert.deepStrictEqual(others, [])
      assert.deepStrictEqual(
        {
          read: first?.["read"],
          seen: first?.["seen"],
          lastReadDate: first?.["lastReadDate"],
          lastSeenDate: first?.["lastSeenDate"]
        },
        expected
      )
      assert.isNull(first?.["_feedId"])
      assert.notProperty(first, "subscriber")
      assert.deepInclude(first, { cta: { action: { buttons: [] } }, deviceTokens: [] })
    })
  }

  it("one bad id, or none, fails the whole call with 422; unknown ids are left out", () => {
    const mark = (messageId: unknown) => markMessagesAs(scene(), context, "ana", { messageId, markAs: "read" }).response
    for (const bad of [["a".repeat(24), "nope"], [], undefined, null, 7, `${"a".repeat(24)},${"b".repeat(24)}`]) {
      assert.strictEqual(mark(bad).status, 422)
    }
    assert.deepStrictEqual(mark("a".repeat(24)), { status: 201, body: { data: [] } })
  })

  const refused = [
    ["limit=51", 422, "limit must not be greater than 50"],
    ["limit=0", 422, "limit must not be less than 1"],
    ["limit=x", 422, "limit must be an integer number"],
    ["page=-1", 422, "page must not be less than 0"],
    ["channels=sms,email", 422, '"errors":{"channels"'],
    ["templates=welcome", 422, '"errors":{"templates"'],
    ["severity=loud", 422, '"errors":'],
    ["topicKey=a&topicKey=b", 422, "topicKey must be a string"],
    ["after=soon", 400, "Invalid date format for parameter 'after': soon."],
    ["after=2026-11-20&before=2026-11-19", 400, "Invalid date range"]
  ] as const

  for (const [query, status, words] of refused) {
    it(`responds with ${status} to ${query}`, () => {
      const { response } = listEvents(scene(), context, query)
      assert.strictEqual(response.status, status)
      assert.include(JSON.stringify(response.body), words)
    })
  }

  it("responds with 402 to a time before the retention of a plan", () => {
    const switches = { ...Switches.observed, "list.retention": "90d" } as const
    const { response } = listEvents(scene(), { ...context, switches }, "after=2020-01-01")
    assert.strictEqual(response.status, 402)
    assert.include(JSON.stringify(response.body), "The earliest accessible date for your plan is 2026-08-23")
  })

  it("lists with inclusive bounds, combines subscriber filters with or, and sets hasMore on a full page", () => {
    let state = scene()
    const time = now - hour
    for (const subscriberId of ["ana", "bo", "cy"]) {
      ;({ state } = addEvent(state, time, { subscriberId, workflow: "flow" }))
    }
    const count = (query: string): number => Object(listEvents(state, context, query).response.body).data.length
    const bound = new Date(time).toISOString()
    assert.strictEqual(count(`after=${bound}&before=${bound}`), 3)
    assert.strictEqual(count("emails=Ana@example.test&subscriberIds=bo"), 2)
    assert.strictEqual(count("search=ANA@"), 1)
    assert.strictEqual(count("search=bo"), 1)
    assert.strictEqual(count("severity=none"), 3)
    assert.strictEqual(count("contextKeys="), 3)
    ;({ state } = addEvent(state, time + hour / 2, {
      subscriberId: "dee",
      workflow: "flow",
      contextKeys: ["tenant:acme"]
    }))
    assert.strictEqual(count("contextKeys="), 3)
    assert.strictEqual(count("contextKeys=tenant:acme"), 1)
    assert.strictEqual(count("emails[]=Ana@example.test&emails[1]=x"), 1)
    assert.strictEqual(count("emails=Ana@example.test,x"), 0)
    const full = listEvents(state, context, "limit=3").response.body
    assert.deepInclude(full, { hasMore: true, pageSize: 3 })
    const nobody = listEvents(state, context, "subscriberIds=nobody&page=4").response.body
    assert.deepStrictEqual(nobody, { data: [], hasMore: false, page: 0, pageSize: 10 })
  })
})

describe("required fields that are absent", () => {
  const messagesOf = (body: unknown): ReadonlyArray<string> =>
    (body as { readonly errors: { readonly general: { readonly messages: ReadonlyArray<string> } } }).errors.general
      .messages

  it("are reported with the messages of the service, in its order", () => {
    const rule = "messageId must be a valid MongoDB ObjectId or an array of valid MongoDB ObjectIds"
    const mark = (body: object) => messagesOf(markMessagesAs(scene(), context, "ana", body).response.body)
    assert.deepStrictEqual(mark({ markAs: "read" }), ["messageId should not be null or undefined", rule])
    assert.deepStrictEqual(mark({ messageId: [], markAs: "read" }), [rule])
    const upsert = (body: object) => messagesOf(upsertCredentials(scene(), context, "ana", body).response.body)
    assert.deepStrictEqual(upsert({ credentials: {} }), [
      "providerId should not be null or undefined",
      "providerId must be a valid provider ID"
    ])
  })
})

describe("several integrations of one provider", () => {
  it("the newest is the one added last if times are equal", () => {
    let state = empty(2)
    ;({ state } = addSubscriber(state, now, { subscriberId: "ana" }))
    const ids: Array<string> = []
    for (const identifier of ["a", "b"]) {
      const added = addIntegration(state, now, { providerId: "fcm", identifier })
      ;({ state } = added)
      ids.push(added.integration.id)
    }
    const chosen = (value: "newest" | "oldest") => {
      const switches = { ...Switches.observed, "credentials.severalIntegrations": value }
      const { body } = upsertCredentials(state, { ...context, switches }, "ana", {
        providerId: "fcm",
        credentials: { deviceTokens: ["a"] }
      }).response
      return JSON.stringify(body).includes(ids[0] ?? "") ? "a" : "b"
    }
    assert.deepStrictEqual([chosen("newest"), chosen("oldest")], ["b", "a"])
  })
})
