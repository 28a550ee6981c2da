import { assert, describe, it } from "@effect/vitest"
import * as Result from "effect/Result"
import { inspect } from "node:util"
import { credentialsUpsertWire, eventsListWire, messagesMarkAsWire } from "./Shapes.ts"
import { makeReader, makeStrictReader, type Reading, type ReadingFailure } from "./Reader.ts"

const step = { _id: "step", active: true, filters: [], _templateId: "template" }

const executionDetail = {
  _id: "detail",
  status: "Success",
  detail: "Message sent",
  isRetry: false,
  isTest: false,
  source: "Internal"
}

const job = {
  _id: "job",
  type: "email",
  executionDetails: [executionDetail],
  step,
  providerId: "sendgrid",
  status: "completed"
}

const event = {
  _id: "event",
  _environmentId: "environment",
  _organizationId: "organization",
  _subscriberId: "subscriber",
  transactionId: "transaction",
  jobs: [job]
}

const page = (...data: ReadonlyArray<unknown>) => ({ hasMore: false, data, pageSize: 10, page: 0 })

const subscriber = {
  subscriberId: "ada",
  _organizationId: "organization",
  _environmentId: "environment",
  deleted: false,
  createdAt: "2026-01-01T00:00:00.000Z",
  updatedAt: "2026-01-01T00:00:00.000Z"
}

const message = {
  _id: "message",
  _environmentId: "environment",
  _organizationId: "organization",
  _notificationId: "event",
  _subscriberId: "subscriber",
  createdAt: "2026-01-01T00:00:00.000Z",
  transactionId: "transaction",
  channel: "in_app",
  read: true,
  seen: true,
  cta: {},
  status: "sent"
}

const events = makeReader(eventsListWire)
const messages = makeReader(messagesMarkAsWire)
const credentials = makeReader(credentialsUpsertWire)

const successOf = <A>(result: Result.Result<Reading<A>, unknown>): Reading<A> => {
  assert.isTrue(Result.isSuccess(result))
  return Result.getOrThrow(result)
}

const complaintsOf = (result: Result.Result<unknown, ReadingFailure>) => {
  assert.isTrue(Result.isFailure(result))
  return Result.getOrThrow(Result.flip(result)).issues
}

describe("a body of the document", () => {
  it("is read without complaint", () => {
    const readings: ReadonlyArray<[Reading<unknown>, unknown]> = [
      [successOf(events(page(event, event))), page(event, event)],
      [successOf(messages([message])), [message]],
      [successOf(credentials(subscriber)), subscriber]
    ]
    for (const [reading, value] of readings)
      assert.deepStrictEqual(reading, { value, unreadable: [], drift: [], driftCount: 0 })
  })

  it("keeps free-form records with all they hold, and nothing in them is drift", () => {
    const payload = { deep: [{ any: null }], channels: null, providerId: 7 }
    const reading = successOf(events(page({ ...event, payload })))
    assert.deepStrictEqual(reading.value.data[0]?.payload, payload)
    assert.deepStrictEqual(reading.drift, [])
  })
})

describe("envelopes", () => {
  it("unwraps an object with the single key data where the value fits", () => {
    assert.deepStrictEqual(successOf(credentials({ data: subscriber })).value, subscriber)
    assert.deepStrictEqual(successOf(messages({ data: [message] })).value, [message])
  })

  it("does not unwrap next to other keys, nor a value of another kind", () => {
    assert.isTrue(Result.isFailure(credentials({ data: subscriber, page: 1 })))
    assert.isTrue(Result.isFailure(credentials({ data: [subscriber] })))
    assert.isTrue(Result.isFailure(messages({ data: message })))
    assert.isTrue(Result.isFailure(messages({ data: { data: [message] } })))
  })

  it("never unwraps the listing", () => {
    assert.deepStrictEqual(complaintsOf(events({ data: page(event) }))[0]?.path, "hasMore")
  })

  it.each([
    { fields: {}, read: { hasMore: true, page: 0, pageSize: 1 }, missing: ["hasMore", "pageSize", "page"], wrong: [] },
    {
      fields: { hasMore: false, page: 2 },
      read: { hasMore: false, page: 2, pageSize: 1 },
      missing: ["pageSize"],
      wrong: []
    },
    {
      fields: { hasMore: "false", page: "2", pageSize: "10" },
      read: { hasMore: true, page: 0, pageSize: 1 },
      missing: [],
      wrong: ["hasMore", "pageSize", "page"]
    },
    {
      fields: { hasMore: null, page: "", pageSize: ["10"] },
      read: { hasMore: true, page: 0, pageSize: 1 },
      missing: [],
      wrong: ["hasMore", "pageSize", "page"]
    }
  ])(
    "reads the records of a page with $fields around them, and reports the fields",
    ({ fields, missing, read, wrong }) => {
      const { drift, driftCount, unreadable, value } = successOf(events({ ...fields, data: [event] }))
      assert.deepStrictEqual(value, { ...read, data: [event] })
      assert.sameMembers(
        drift.map(({ kind, path }) => `${kind} ${path}`),
        [...missing.map((name) => `missing-field ${name}`), ...wrong.map((name) => `unreadable ${name}`)]
      )
      assert.deepStrictEqual(
        unreadable.map(({ path, raw }) => [path, raw]),
        wrong.map((name) => [name, Reflect.get(fields, name)])
      )
      assert.strictEqual(driftCount, missing.length + wrong.length)
      assert.isTrue(Result.isFailure(makeStrictReader(eventsListWire)({ ...fields, data: [event] })))
    }
  )

  it("reads a page without records and without hasMore as the last", () => {
    assert.deepStrictEqual(successOf(events({ data: [] })).value, { hasMore: false, data: [], page: 0, pageSize: 0 })
  })

  it("leaves a subscriber's own field data unchanged", () => {
    const reading = successOf(credentials({ ...subscriber, data: { plan: "pro" } }))
    assert.deepStrictEqual(reading.value.data, { plan: "pro" })
  })
})

describe("salvage", () => {
  it("removes a record that does not decode and keeps the others", () => {
    const broken = { ...event, transactionId: 5 }
    const { drift, unreadable, value } = successOf(events(page(event, broken, { ...event, _id: "third" })))
    assert.deepStrictEqual(
      value.data.map(({ _id }) => _id),
      ["event", "third"]
    )
    assert.deepStrictEqual(unreadable, [{ path: "data[1]", rule: "transactionId: Expected string" }] as never)
    assert.strictEqual(unreadable[0]?.raw, broken)
    assert.deepStrictEqual(drift, [{ kind: "unreadable", path: "data[1]", rule: "transactionId: Expected string" }])
  })

  it("removes at the nearest array element inside of a record", () => {
    const { unreadable, value } = successOf(
      events(
        page(event, { ...event, jobs: [job, { ...job, step: { ...step, active: "yes" } }, { ...job, _id: "last" }] })
      )
    )
    assert.deepStrictEqual(
      value.data[1]?.jobs?.map(({ _id }) => _id),
      ["job", "last"]
    )
    assert.deepStrictEqual(
      unreadable.map(({ path }) => path),
      ["data[1].jobs[1]"]
    )
    assert.strictEqual(unreadable[0]?.rule, "step.active: Expected boolean")
  })

  it("removes at the nearest optional field", () => {
    const { unreadable, value } = successOf(events(page({ ...event, subscriber: { _id: "subscriber" }, tags: "a" })))
    assert.notProperty(value.data[0], "subscriber")
    assert.notProperty(value.data[0], "tags")
    assert.deepStrictEqual(
      unreadable.map(({ path, rule }) => [path, rule]),
      [
        ["data[0].subscriber", "subscriberId: Missing key"],
        ["data[0].tags", "Expected array"]
      ]
    )
  })

  it("removes several elements of one array and names them by their index in the body", () => {
    const details = [{ ...executionDetail, isTest: 1 }, executionDetail, null, { ...executionDetail, isRetry: "no" }]
    const { unreadable, value } = successOf(events(page({ ...event, jobs: [{ ...job, executionDetails: details }] })))
    assert.deepStrictEqual(value.data[0]?.jobs?.[0]?.executionDetails, [executionDetail] as never)
    assert.deepStrictEqual(
      unreadable.map(({ path }) => path),
      [
        "data[0].jobs[0].executionDetails[0]",
        "data[0].jobs[0].executionDetails[2]",
        "data[0].jobs[0].executionDetails[3]"
      ]
    )
  })

  it("reports a part once when several things in it are wrong", () => {
    const { unreadable } = successOf(events(page({ ...event, topics: [{ _topicId: 1, topicKey: 2 }] })))
    assert.deepStrictEqual(
      unreadable.map(({ path, rule }) => [path, rule]),
      [["data[0].topics[0]", "_topicId: Expected string; topicKey: Expected string"]]
    )
  })

  it("reaches into variants of variants", () => {
    const good = { ...step, _id: "good" }
    const bad = { ...step, _id: "bad", filters: "none" }
    const variants = [{ ...step, _id: "outer", variants: [good, bad] }]
    const { unreadable, value } = successOf(events(page({ ...event, jobs: [{ ...job, step: { ...step, variants } }] })))
    assert.deepStrictEqual(value.data[0]?.jobs?.[0]?.step.variants?.[0]?.variants, [good] as never)
    assert.deepStrictEqual(
      unreadable.map(({ path, rule }) => [path, rule]),
      [["data[0].jobs[0].step.variants[0].variants[1]", "filters: Expected array"]]
    )
  })

  it("removes variants that nest too deep for the stack", () => {
    let nested: unknown = step
    for (let depth = 0; depth < 20_000; depth++) nested = { ...step, variants: [nested] }
    const { unreadable, value } = successOf(events(page({ ...event, jobs: [{ ...job, step: nested }] }, event)))
    assert.lengthOf(value.data, 2)
    assert.lengthOf(value.data[0]?.jobs ?? [], 1)
    assert.lengthOf(unreadable, 1)
    assert.match(unreadable[0]?.path ?? "", /^data\[0\]\.jobs\[0\]\.step(\.variants\[0\])+$/)
    assert.include(unreadable[0]?.rule, "nested at most 100 deep")
    assert.isTrue(
      Result.isFailure(makeStrictReader(eventsListWire)(page({ ...event, jobs: [{ ...job, step: nested }] })))
    )
  })

  it("reaches into the blocks of a message's content", () => {
    const block = { type: "text", content: "Hello" }
    const { unreadable, value } = successOf(messages([{ ...message, content: [block, { type: "text" }] }]))
    assert.deepStrictEqual(value[0]?.content, [block] as never)
    assert.deepStrictEqual(
      unreadable.map(({ path }) => path),
      ["[0].content[1]"]
    )
  })

  it("does not change the body", () => {
    const body = page({ ...event, jobs: [job, null], tags: 1 })
    const before = structuredClone(body)
    successOf(events(body))
    assert.deepStrictEqual(body, before)
  })

  it("keeps the raw part out of everything that enumerates it", () => {
    const secret = "https://hooks.example.test/secret"
    const { unreadable } = successOf(
      credentials({ ...subscriber, channels: [{ credentials: { webhookUrl: secret } }] })
    )
    assert.lengthOf(unreadable, 1)
    assert.notInclude(JSON.stringify(unreadable), secret)
    assert.notInclude(inspect(unreadable, { depth: 9 }), secret)
    assert.notInclude(JSON.stringify({ ...unreadable[0] }), secret)
  })

  it("fails when nothing can be salvaged, and reports what was expected", () => {
    assert.deepStrictEqual(complaintsOf(events(page().data)), [{ path: "", rule: "Expected object" }])
    assert.deepStrictEqual(complaintsOf(credentials({ ...subscriber, deleted: null })), [
      { path: "deleted", rule: "Expected boolean" }
    ])
    for (const body of [null, undefined, "", "<html>", 0, true, [], {}]) {
      assert.isTrue(Result.isFailure(events(body)), String(body))
      assert.isTrue(Result.isFailure(credentials(body)), String(body))
    }
    for (const body of [null, "", 0, {}]) assert.isTrue(Result.isFailure(messages(body)), String(body))
  })
})

describe("drift", () => {
  it("lets unknown enum values pass and reports them", () => {
    const { drift, value } = successOf(
      events(
        page({ ...event, severity: "urgent", channels: ["email", "fax"], jobs: [{ ...job, type: "http_request" }] })
      )
    )
    assert.strictEqual(value.data[0]?.severity, "urgent")
    assert.deepStrictEqual(drift, [
      { kind: "unknown-enum-value", path: "data[0].jobs[0].type", value: "http_request" },
      { kind: "unknown-enum-value", path: "data[0].severity", value: "urgent" },
      { kind: "unknown-enum-value", path: "data[0].channels[1]", value: "fax" }
    ] as never)
  })

  it("reports unknown fields at every depth", () => {
    const odd = { ...step, "odd key": 1, variants: [{ ...step, newer: true }] }
    const { drift } = successOf(events({ ...page({ ...event, id: "e", jobs: [{ ...job, step: odd }] }), total: 1 }))
    assert.deepStrictEqual(
      drift.map(({ kind, path }) => [kind, path]),
      [
        ["unknown-field", "total"],
        ["unknown-field", 'data[0].jobs[0].step["odd key"]'],
        ["unknown-field", "data[0].jobs[0].step.variants[0].newer"],
        ["unknown-field", "data[0].id"]
      ]
    )
  })

  it("accepts a job without a provider", () => {
    const { providerId: _, ...without } = job
    for (const type of ["digest", "delay", "throttle", "custom"]) {
      assert.deepStrictEqual(successOf(events(page({ ...event, jobs: [{ ...without, type }] }))).drift, [], type)
    }
    const { drift } = successOf(events(page({ ...event, jobs: [without] })))
    assert.deepStrictEqual(drift, [{ kind: "missing-field", path: "data[0].jobs[0].providerId" }])
  })

  it("reports what the document requires and reading does not", () => {
    const { cta: _, ...without } = message
    const { drift } = successOf(messages([message, { ...without, content: null }]))
    assert.deepStrictEqual(drift, [
      { kind: "missing-field", path: "[1].content" },
      { kind: "missing-field", path: "[1].cta" }
    ])
    assert.deepStrictEqual(successOf(credentials({ ...subscriber, channels: null })).drift, [
      { kind: "missing-field", path: "channels" }
    ])
  })

  it("keeps a condition of a newer source, which compares nothing", () => {
    const condition = (child: object) => ({ isNegated: false, type: "GROUP", value: "AND", children: [child] })
    const read = (child: object) =>
      successOf(events(page({ ...event, jobs: [{ ...job, step: { ...step, filters: [condition(child)] } }] })))
    const newer = read({ on: "previousStep", stepType: "seen" })
    assert.deepStrictEqual(newer.value.data[0]?.jobs?.[0]?.step.filters[0]?.children, [{ on: "previousStep" }])
    assert.deepStrictEqual(
      newer.drift.map(({ kind, path }) => `${kind} ${path.replace(/.*children/u, "")}`),
      ["unknown-enum-value [0].on", "unknown-field [0].stepType"]
    )
    const known = read({ on: "payload", value: "1", operator: "EQUAL" })
    assert.deepStrictEqual(
      known.drift.map(({ kind, path }) => `${kind} ${path.replace(/.*children/u, "")}`),
      ["missing-field [0].field"]
    )
  })

  it("keeps an event of a digest that has no payload", () => {
    const digest = { type: "regular", events: [null, { order: 1 }] }
    const { drift, unreadable, value } = successOf(events(page({ ...event, jobs: [{ ...job, digest }] })))
    assert.deepStrictEqual(value.data[0]?.jobs?.[0]?.digest, digest as never)
    assert.deepStrictEqual(drift, [{ kind: "missing-field", path: "data[0].jobs[0].digest.events[0]" }])
    assert.deepStrictEqual(unreadable, [])
  })

  it("names drift next to a removed element by its index in the body", () => {
    const { drift } = successOf(events(page({ ...event, jobs: [null, { ...job, extra: 1 }] })))
    assert.deepStrictEqual(drift, [
      { kind: "unknown-field", path: "data[0].jobs[1].extra" },
      { kind: "unreadable", path: "data[0].jobs[0]", rule: "Expected object" }
    ])
  })
})

describe("strict reading", () => {
  const strict = makeStrictReader(eventsListWire)

  it("accepts a body of the document", () => {
    assert.deepStrictEqual(successOf(strict(page(event))).value, page(event) as never)
  })

  it("fails on any drift", () => {
    const { providerId: _, ...without } = job
    for (const [record, path] of [
      [{ ...event, severity: "urgent" }, "data[0].severity"],
      [{ ...event, newer: 1 }, "data[0].newer"],
      [{ ...event, jobs: [{ ...without, type: "digest" }] }, "data[0].jobs[0].providerId"],
      [{ ...event, tags: [1] }, "data[0].tags[0]"]
    ] as const) {
      assert.deepStrictEqual(
        complaintsOf(strict(page(record))).map((complaint) => complaint.path),
        [path]
      )
    }
  })
})

describe("the rules that strict reading names", () => {
  const strict = makeStrictReader(eventsListWire)
  const { providerId: _, ...without } = job
  it.each([
    [{ ...event, severity: "urgent" }, "data[0].severity", "Expected a value that the API document knows"],
    [{ ...event, newer: 1 }, "data[0].newer", "Expected no field that the API document does not know"],
    [{ ...event, jobs: [without] }, "data[0].jobs[0].providerId", "Missing key"],
    [{ ...event, jobs: [{ ...without, type: "delay" }] }, "data[0].jobs[0].providerId", "Missing key"],
    [{ ...event, tags: [1] }, "data[0].tags[0]", "Expected string"],
    [{ ...event, transactionId: 5 }, "data[0]", "transactionId: Expected string"]
  ])("%j at %s: %s", (record, path, rule) => {
    assert.deepStrictEqual(complaintsOf(strict(page(record))), [{ path, rule }])
  })
})

describe("the number of differences", () => {
  it("counts those of the body, of its records and of the parts that were left out", () => {
    const broken = { ...event, transactionId: 5 }
    const odd = { ...event, newer: 1, tags: ["a", 7], severity: "urgent" }
    const { drift, driftCount, unreadable } = successOf(events({ ...page(odd, broken, 7), total: 1 }))
    assert.deepStrictEqual([drift.length, driftCount, unreadable.length], [6, 6, 3])
    assert.deepStrictEqual(
      drift.map(({ kind, path }) => `${kind} ${path}`),
      [
        "unknown-field total",
        "unknown-field data[0].newer",
        "unknown-enum-value data[0].severity",
        "unreadable data[0].tags[1]",
        "unreadable data[1]",
        "unreadable data[2]"
      ]
    )
  })
})

describe("a vendor", () => {
  it("is read as the document writes it, before drift is looked for", () => {
    const read = makeReader(eventsListWire, { vendor: "acme" })
    const body = page({
      ...event,
      jobs: [{ ...job, providerId: "acme-email" }],
      template: { name: "acme", triggers: [], origin: "acme-cloud-v1" }
    })
    const { drift, value } = successOf(read(body))
    assert.strictEqual(value.data[0]?.jobs?.[0]?.providerId, "service-email")
    assert.deepStrictEqual(value.data[0]?.template as unknown, {
      name: "acme",
      triggers: [],
      origin: "service-cloud-v1"
    })
    assert.deepStrictEqual(drift, [])
  })
})

describe("a body with more drift than a report can have", () => {
  const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`new${index}`, 1]))
  it("is read, and the first entries are reported with their count", () => {
    const { drift, driftCount, value } = successOf(events(page({ ...event, ...many(150_000) }, event)))
    assert.deepStrictEqual(value.data, [event, event])
    assert.lengthOf(drift, 100)
    assert.strictEqual(driftCount, 150_000)
  })
  it("is read without the parts that do not decode", () => {
    const { drift, driftCount, unreadable, value } = successOf(
      events({ ...page(), data: [...Array<unknown>(200_000).fill(7), event] })
    )
    assert.deepStrictEqual(value.data, [event])
    assert.deepStrictEqual([drift.length, unreadable.length, driftCount], [100, 10_000, 200_000])
  })
  it("reports every part that was left out of a page in which no job can be read", () => {
    const jobs = Array.from({ length: 4 }, () => ({ ...job, step: {} }))
    const { unreadable } = successOf(events(page(...Array.from({ length: 50 }, () => ({ ...event, jobs })))))
    assert.lengthOf(unreadable, 200)
  })
  it("fails with the first issues of relaxations when it is read strictly", () => {
    const { providerId: _, ...without } = job
    const jobs = Array.from({ length: 150 }, () => ({ ...without, type: "digest" }))
    const issues = complaintsOf(makeStrictReader(eventsListWire)(page({ ...event, jobs })))
    assert.lengthOf(issues, 100)
    assert.deepStrictEqual(issues[99], { path: "data[0].jobs[99].providerId", rule: "Missing key" })
  })
  it("fails with the first issues when it is read strictly", () => {
    const strict = makeStrictReader(eventsListWire)
    const result = strict(page({ ...event, ...many(150_000) }))
    assert.isTrue(Result.isFailure(result) && result.failure.issues.length === 100)
  })
})
