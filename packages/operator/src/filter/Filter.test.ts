import type { ActivityNotification } from "@signalbox/core/Records"
import { assert, describe, it } from "@effect/vitest"
import { detailOf, jobOf } from "../../test/Records.ts"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import {
  chips,
  clear,
  type Filter,
  format,
  localOnly,
  matches,
  narrows,
  parse,
  prepare,
  sameRequest,
  searchedText,
  toggled,
  toQuery,
  wholeTest,
  withoutLast
} from "./Filter.ts"
import { filterKeys } from "./FilterKey.ts"

const now = Date.parse("2026-11-21T12:00:00Z")

const read = (text: string): Filter => {
  const parsed = parse(text)
  if (parsed._tag === "Refused") throw new Error(parsed.message)
  return parsed.filter
}

const refusal = (text: string) => {
  const parsed = parse(text)
  if (parsed._tag === "Parsed") throw new Error(`"${text}" was read as ${format(parsed.filter)}`)
  return parsed
}

describe("parse", () => {
  it.each([
    ["", ""],
    ["   ", ""],
    [
      "after:24h channel:email,push -status:ok subscriber:u_1",
      "after:24h channel:email,push -status:ok subscriber:u_1"
    ],
    ["severity:med,HIGH severity:low,med", "severity:medium,high,low"],
    ["status:fail", "status:failed"],
    ["channel:in-app", "channel:in_app"],
    ["CHANNEL:email", "channel:email"],
    ['subscriber:"a b","c\\"d\\\\"', 'subscriber:"a b","c\\"d\\\\"'],
    ['subscriber:"plain"', "subscriber:plain"],
    ['channel:"voice"', 'channel:"voice"'],
    ['status:"failed"', "status:failed"],
    ["context:tenant:acme", "context:tenant:acme"],
    ["after:024H", "after:24h"],
    ["after:2026-11-20", "after:2026-11-20"],
    ["after:2026-11-20T00:00:00.000Z", "after:2026-11-20"],
    ["after:2026-11-20T10:00+02:00", "after:2026-11-20T08:00Z"],
    ["after:2026-11-20T10:00:07", "after:2026-11-20T10:00:07Z"],
    ["after:2026-11-20T10:00:07.250Z", "after:2026-11-20T10:00:07.250Z"],
    ["-transaction:t_1 -transaction:t_2", "-transaction:t_1,t_2"],
    // Words without a key are searched, each of them.
    ["invoice  -draft ana", "invoice ana -draft"],
    ['"order shipped" "status:x" text:late "-x"', '"order shipped" "status:x" late "-x"'],
    ['text:3h "a=b"', '"3h" "a=b"'],
    ['text:OR "AND" "(late)" -"NOT"', '"OR" "AND" "(late)" -"NOT"'],
    ["ANDROID or Terms & send(x) payload.f(x):1", "ANDROID or Terms & send(x) payload.f(x):1"],
    ["cause:phone-missing,webhook-url-missing/chat", "cause:phone-missing,webhook-url-missing/chat"],
    ["cause:Phone-Missing,not-recognised/sms/twilio", "cause:phone-missing,not-recognised/sms/twilio"],
    ['cause:"of-a-newer-version/chat"', 'cause:"of-a-newer-version/chat"'],
    ["after:2h before:1h", "after:2h before:1h"],
    ["after:2h before:2020-01-01", "after:2h before:2020-01-01"]
  ])("%s reads as %s", (text, canonical) => {
    assert.strictEqual(format(read(text)), canonical)
  })

  it.each([
    [
      "chanel:x",
      [0, 6],
      'column 1: unknown key "chanel"; did you mean channel? Expected one of: status, cause, after',
      "channel"
    ],
    ["a:b", [0, 1], 'column 1: unknown key "a"; expected one of: ', undefined],
    [":b", [0, 0], 'column 1: unknown key ""; expected one of: ', undefined],
    [
      "topic:5 status:faild",
      [15, 20],
      'column 16: "faild" is not a known status; did you mean failed? Expected one of: failed, ',
      "failed"
    ],
    ["channel:zzz", [8, 11], 'column 9: "zzz" is not a known channel; expected one of: in_app, email, ', undefined],
    [
      "cause:nope",
      [6, 10],
      'column 7: "nope" is not a known cause; expected one of: earlier-result-invalid, workflow-invalid, ',
      undefined
    ],
    [
      "cause:phone-mising/sms",
      [6, 22],
      'column 7: "phone-mising/sms" is not a known cause; did you mean phone-missing? Expected one of: ',
      "phone-missing"
    ],
    ["channel:email,zzz", [14, 17], 'column 15: "zzz" is not a known channel', undefined],
    ["-", [0, 1], "column 1: a word to search for is missing", undefined],
    [
      "ana status=failed",
      [4, 17],
      'column 5: "status=failed" has no key; write status:failed, or text:"status=failed"',
      "status:failed"
    ],
    ["last 3h", [5, 7], 'column 6: "3h" has no key; write after:3h', "after:3h"],
    ["-2026-11-20", [1, 11], "write after:2026-11-20", "after:2026-11-20"],
    ["yesterday", [0, 9], "write after:24h", "after:24h"],
    ["status:", [7, 7], "column 8: status needs a value, for example status:failed", undefined],
    ["status:ok,", [10, 10], "column 11: status needs a value", undefined],
    ["after:soon", [6, 10], 'column 7: "soon" is not a time; write 30m, 24h, 7d, 2026-11-20', undefined],
    ["after:2026-02-30", [6, 16], 'column 7: "2026-02-30" is not a time', undefined],
    ["after:2026-11-20T25:00", [6, 22], "is not a time", undefined],
    ["after:999999999w", [6, 16], "is not a time", undefined],
    ["limit:5", [0, 5], 'column 1: "limit" is not a key of filters; a filter chooses events, not how many', undefined],
    ["page:1", [0, 4], 'column 1: "page" is not a key of filters; a filter chooses events, not where', undefined],
    [
      "status:failed AND channel:sms",
      [14, 17],
      'column 15: "AND" is not an operator of filters; all conditions must match, repeated keys are alternatives, -key:value excludes, and quotes search for the word itself',
      undefined
    ],
    ["status:failed OR status:ok", [14, 16], '"OR" is not an operator', undefined],
    ["NOT status:ok", [0, 3], '"NOT" is not an operator', undefined],
    ["status:failed && ana || eva", [14, 16], '"&&" is not an operator', undefined],
    ["ana || eva", [4, 6], '"||" is not an operator', undefined],
    ["(status:failed channel:sms)", [0, 7], '"(status" is not an operator', undefined],
    ["NOT(status:failed)", [0, 10], '"NOT(status" is not an operator', undefined],
    ["!status:failed", [0, 7], '"!status" is not an operator', undefined],
    ["-(ana eva)", [1, 5], '"(ana" is not an operator', undefined],
    ["ana eva)", [4, 8], '"eva)" is not an operator', undefined],
    ["-after:1h", [0, 9], "column 1: after cannot be negated", undefined],
    ["topic:a,b", [0, 9], "column 1: topic takes one value, not 2", undefined],
    ["topic:a topic:b", [8, 15], "column 9: topic is given twice; it takes one value", undefined],
    ["after:1h before:2h", [9, 18], "column 10: after is not earlier than before", undefined],
    ["after:2026-11-20 before:2026-11-19", [17, 34], "after is not earlier than before", undefined],
    ['subscriber:"u', [11, 13], 'column 12: the quote is not closed; end it with "', undefined],
    ['subscriber:"u"x', [14, 15], "column 15: a quoted value must end its term or be followed by a comma", undefined]
  ] as const)("refuses %s and says where", (text, [from, to], message, suggestion) => {
    const refused = refusal(text)
    assert.include(refused.message, message)
    assert.notMatch(refused.message, /\n/u)
    assert.deepStrictEqual([refused.from, refused.to], [from, to])
    assert.strictEqual(
      /(?:did you mean|has no key; write) (?<suggestion>\S+?)[?,;]/u.exec(refused.message)?.groups?.["suggestion"],
      suggestion
    )
  })

  const Value = Schema.Union([
    Schema.NonEmptyString,
    Schema.Literals(["u_1", 'a"b', "a,b", "a b", "\\", "-x", "a:b", "ok"])
  ])
  const Values = Schema.NonEmptyArray(Value)
  const Time = Schema.Literals(["15m", "24h", "7d", "2026-11-20", "2026-11-20T10:30Z", "2026-11-20T10:30:01.5Z"])
  const Parts = Schema.Array(
    Schema.Union([
      Schema.Struct({
        key: Schema.Literals([
          "channel",
          "status",
          "severity",
          "subscriber",
          "workflow",
          "email",
          "context",
          "template"
        ]),
        negated: Schema.Boolean,
        values: Values
      }),
      Schema.Struct({ key: Schema.Literals(["topic", "transaction"]), negated: Schema.Literal(true), values: Values }),
      Schema.Struct({
        key: Schema.Literals(["topic", "transaction", "search"]),
        negated: Schema.Literal(false),
        values: Schema.Tuple([Value])
      }),
      Schema.Struct({ key: Schema.Literal("after"), negated: Schema.Literal(false), values: Schema.Tuple([Time]) })
    ])
  ).check(Schema.isMaxLength(6))

  it.effect.prop("what was printed reads as the same filter, and prints the same", [Parts], ([parts]) =>
    Effect.sync(() => {
      const quote = (value: string) => `"${value.replaceAll(/["\\]/gu, "\\$&")}"`
      const text = parts
        .filter(({ key, negated }, at) => parts.findIndex((one) => one.key === key && one.negated === negated) === at)
        .map(({ key, negated, values }) => `${negated ? "-" : ""}${key}:${values.map(quote).join(",")}`)
        .join("  ")
      const first = read(text)
      const printed = format(first)
      assert.deepStrictEqual(read(printed), first)
      assert.strictEqual(format(read(printed)), printed)
    })
  )

  it.effect.prop("answers any text, with a place inside it", [Schema.String], ([text]) =>
    Effect.sync(() => {
      const parsed = parse(text)
      if (parsed._tag === "Refused") {
        assert.isAtMost(parsed.to, text.length)
        assert.isAtMost(parsed.from, parsed.to)
      } else {
        assert.deepStrictEqual(read(format(parsed.filter)), parsed.filter)
      }
    })
  )

  it("ends on a long text", () => {
    assert.lengthOf(read(`subscriber:${"u,".repeat(50_000)}u`).clauses[0]?.values ?? [], 1)
    assert.strictEqual(format(read("x".repeat(1_000_000))).length, 1_000_000)
  })
})

describe("toQuery", () => {
  it("sends each key as its parameter of the API", () => {
    const text =
      "status:failed workflow:welcome -channel:sms after:24h before:2026-11-21T11:00Z channel:email,push subscriber:u_1 severity:high email:a@b.test transaction:t_1 topic:board subscription:s_1 context:tenant:acme template:65f0 search:x"
    assert.deepStrictEqual(toQuery(read(text), now), {
      after: "2026-11-20T12:00:00.000Z",
      before: "2026-11-21T11:00:00.000Z",
      channels: ["email", "push"],
      subscriberIds: ["u_1"],
      severity: ["high"],
      emails: ["a@b.test"],
      transactionId: "t_1",
      topicKey: "board",
      subscriptionId: "s_1",
      contextKeys: ["tenant:acme"],
      templates: ["65f0"],
      search: "x"
    })
  })

  it("sends nothing that was not asked for", () => {
    assert.deepStrictEqual(toQuery(clear, now), {})
    assert.deepStrictEqual(toQuery(read("-channel:email -subscriber:u_1 -topic:a"), now), {})
  })
})

const event: ActivityNotification = {
  _environmentId: "environment",
  _organizationId: "organization",
  _subscriberId: "internal",
  transactionId: "t_1",
  _templateId: "65f0",
  channels: ["email"],
  severity: "high",
  contextKeys: ["tenant:acme"],
  topics: [{ _topicId: "1", topicKey: "board" }],
  subscriber: { subscriberId: "u_1", _id: "internal", email: "Ana@b.test" },
  template: { name: "Order shipped", triggers: [{ type: "event", identifier: "order-shipped", variables: [] }] },
  jobs: [jobOf("email", [detailOf(""), detailOf("", { status: "Queued", isRetry: true })], { status: "completed" })]
}

describe("matches", () => {
  it.each([
    ["", true],
    ["status:waiting", true],
    ["status:retrying", true],
    ["status:failed,ok", false],
    ["-status:failed,ok", true],
    ["-status:waiting", false],
    ["workflow:ORDER-shipped", true],
    ['workflow:"order shipped"', true],
    ["workflow:welcome", false],
    ["-workflow:welcome,order-shipped", false],
    ["-channel:email", false],
    ["-channel:sms", true],
    ["-subscriber:u_1", false],
    ["-subscriber:u_2,u_3", true],
    ["-email:ana@B.test", false],
    ["-severity:high", false],
    ["-transaction:t_1,t_2", false],
    ["-topic:board", false],
    ["-context:tenant:acme", false],
    ["-template:65f0", false],
    ["-template:65f1", true],
    ["status:waiting -channel:email", false],
    ["order u_1", true],
    ["order zzz", false],
    ["-zzz", true],
    ["-order", false],
    ["cause:phone-missing", false],
    ["-cause:phone-missing", true]
  ])("%s: %s", (text, passes) => {
    assert.strictEqual(matches(read(text), event), passes)
  })

  it("leaves to the API what the API has", () => {
    const filter = read("subscriber:u_2 channel:sms after:1h search:zzz")
    assert.isFalse(localOnly(filter))
    assert.isTrue(matches(filter, event))
  })

  it("insists on subscriber and e-mail when both are given", () => {
    const filter = read("subscriber:u_1 email:other@b.test")
    assert.isTrue(localOnly(filter))
    assert.isFalse(matches(filter, event))
    assert.isTrue(matches(read("subscriber:u_1 email:ana@b.test"), event))
  })

  it("finds a channel and a template wherever the event has them", () => {
    const { channels: _channels, jobs, template: _template, _templateId, ...rest } = event
    const without = read("-channel:email")
    assert.isFalse(matches(without, { ...rest, channels: ["email"] }))
    assert.isFalse(matches(without, { ...rest, jobs: jobs ?? [] }))
    assert.isTrue(matches(without, { ...rest, channels: ["sms"] }))
    const other = read("-template:of-the-test")
    assert.isFalse(matches(other, { ...rest, _templateId: "of-the-test" }))
    assert.isTrue(matches(other, { ...rest, _templateId: "another" }))
  })

  it("leaves other terms to the API where subscriber and e-mail are both given", () => {
    assert.isTrue(matches(read("subscriber:u_1 email:ana@b.test channel:sms"), event))
    assert.isTrue(matches(read("subscriber:u_2 -email:other@b.test"), event))
  })

  it("accepts an event that lacks everything", () => {
    const { _environmentId, _organizationId, _subscriberId, transactionId } = event
    const bare = { _environmentId, _organizationId, _subscriberId, transactionId }
    // The others mean something only to the service; a payload needs a field.
    const tested = Object.entries(filterKeys).flatMap(([key, { test }]) =>
      test === undefined || key === "payload" ? [] : [key]
    )
    for (const key of tested) assert.isTrue(matches(read(`-${key}:"nothing"`), bare), key)
    assert.isFalse(matches(read("workflow:welcome"), bare))
  })
})

describe("searchedText", () => {
  const { subscriber: _, template: __, jobs: ___, ...bare } = event
  const named = (firstName?: string, lastName?: string): ActivityNotification => ({
    ...bare,
    _id: "e_1",
    subscriber: {
      _id: "internal",
      subscriberId: "U_1",
      ...(firstName === undefined ? {} : { firstName }),
      ...(lastName === undefined ? {} : { lastName })
    }
  })
  it("has names, ids and reasons of failures, one to a line, in lower case", () => {
    assert.strictEqual(searchedText(bare), "\nt_1")
    assert.strictEqual(searchedText(named("Ana")), "u_1\nana\nt_1\ne_1")
    assert.strictEqual(searchedText(named(undefined, "Ruiz")), "u_1\nruiz\nt_1\ne_1")
    assert.strictEqual(searchedText(named("Ana", "Ruiz")), "u_1\nana ruiz\nt_1\ne_1")
    const [job] = event.jobs ?? []
    const [detail] = job?.executionDetails ?? []
    assert(job !== undefined && detail !== undefined)
    const failed = { ...event, jobs: [{ ...job, executionDetails: [{ ...detail, detail: "Message Bounced" }] }] }
    assert.strictEqual(
      searchedText(failed),
      "order shipped\norder-shipped\nu_1\n\nana@b.test\nt_1\nemail address bounced\nmessage bounced"
    )
    const silent = { ...event, jobs: [{ ...job, status: "failed", executionDetails: [] }] }
    assert.isTrue(searchedText(silent).endsWith("\nt_1\nno reason given"))
  })
  it("is the same when events were prepared", () => {
    const events = [named("Ana"), named("Eva")]
    prepare(events)
    assert.deepStrictEqual(events.map(searchedText), ["u_1\nana\nt_1\ne_1", "u_1\neva\nt_1\ne_1"])
  })
})

describe("chips", () => {
  const filter = read('after:24h -status:ok subscriber:"a b"')

  it("are the clauses as written", () => {
    assert.deepStrictEqual(chips(filter), ["after:24h", "-status:ok", 'subscriber:"a b"'])
  })

  it("go away one by one", () => {
    assert.strictEqual(format(withoutLast(filter)), "after:24h -status:ok")
    assert.deepStrictEqual(withoutLast(clear), clear)
  })
})

describe("toggled", () => {
  it.each([
    ["", "status:failed"],
    ["status:failed", ""],
    ["status:failed,warning after:1h", "status:failed after:1h"],
    ["status:ok", "status:failed"],
    ["-status:ok,failed after:1h", "-status:ok after:1h status:failed"],
    ["-status:failed", "status:failed"],
    ["-status:ok status:failed", "-status:ok"],
    ['workflow:"two  spaces"', 'workflow:"two  spaces" status:failed'],
    ['workflow:"status:failed"', "workflow:status:failed status:failed"]
  ])("%j becomes %j", (before, after) => {
    assert.strictEqual(format(toggled(read(before), "status", "failed")), after)
  })
})

describe("wholeTest", () => {
  it.each([
    ["channel:email subscriber:u_1", true],
    ["channel:sms", false],
    ["subscriber:u_2", false],
    ["status:waiting order", true]
  ])("%s: %s, also for what the API would compute", (text, passes) => {
    assert.strictEqual(wholeTest(read(text), now)(event), passes)
  })

  it("compares times with the clock", () => {
    const at = { ...event, createdAt: new Date(now - 3_600_000).toISOString() }
    assert.isTrue(wholeTest(read("after:2h before:30m"), now)(at))
    assert.isFalse(wholeTest(read("after:30m"), now)(at))
    assert.isFalse(wholeTest(read("before:2h"), now)(at))
    assert.isFalse(wholeTest(read("after:1h"), now)(at))
    assert.isFalse(wholeTest(read("before:1h"), now)(at))
    const { createdAt: _, ...timeless } = at
    assert.isTrue(wholeTest(read("after:1h before:30m"), now)(timeless))
  })
})

describe("narrows", () => {
  it.each([
    ["order-sh", "order", true],
    ["ORDER", "order", true],
    ["order slack", "order", true],
    ["ord", "order", false],
    ["-order", "-ord", false],
    ["-order", "-order", true],
    ["status:failed", "", true],
    ["status:failed order", "status:failed,warning", true],
    ["status:failed,warning", "status:failed", false],
    ["-status:ok,failed", "-status:ok", true],
    ["-status:ok", "-status:ok,failed", false],
    ["after:1h", "after:2h", false],
    ["channel:email", "status:failed", false]
  ])("%j narrows %j: %s", (filter, wider, expected) => {
    assert.strictEqual(narrows(read(filter), read(wider)), expected)
    if (expected && matches(read(filter), event)) assert.isTrue(matches(read(wider), event))
  })
})

describe("sameRequest", () => {
  it.each([
    ["", "status:failed cause:phone-missing order -channel:sms", true],
    ["after:1h channel:email", "channel:email status:ok after:1h", true],
    ["after:1h", "after:2h", false],
    ["", "channel:email", false]
  ])("%s and %s: %s", (a, b, same) => {
    assert.strictEqual(sameRequest(read(a), read(b)), same)
  })
})
