import { assert, describe, it } from "@effect/vitest"
import { eventsListQuery } from "../contract/Operations.ts"
import { issueLine } from "./ErrorBody.ts"
import { credentialsUpsertWire, eventsListWire, messagesMarkAsWire } from "../reading/Shapes.ts"
import { inWireForm, makeInputCheck } from "./Input.ts"

const filters = Object.keys(eventsListQuery).join(", ")

describe("the check of an input", () => {
  const ring: Record<string, unknown> = {}
  ring["self"] = ring
  for (const [name, schema, input, lines] of [
    ["no object", messagesMarkAsWire.payload, undefined, ["Expected an object with the fields messageId, markAs"]],
    [
      "an array for an object",
      messagesMarkAsWire.payload,
      [],
      ["Expected an object with the fields messageId, markAs"]
    ],
    [
      "a filter with a typing error",
      eventsListWire.query,
      { limt: 5 },
      [`limt: Unknown field; did you mean limit? Expected one of: ${filters}`]
    ],
    [
      "a name that may be a short key",
      eventsListWire.query,
      { q7Rk2mXw9: 5 },
      [`Unknown field; expected one of: ${filters}`]
    ],
    ["a ring", eventsListWire.query, ring, [`self: Unknown field; expected one of: ${filters}`]],
    [
      "a filter that assignments would lose",
      eventsListWire.query,
      JSON.parse('{"__proto__":{"limit":5}}'),
      [`__proto__: Unknown field; expected one of: ${filters}`]
    ],
    ["a number for an array", eventsListWire.query, { channels: 7 }, ["channels: Expected an array of strings"]],
    ["a number in an array", eventsListWire.query, { channels: ["email", 7] }, ["channels[1]: Expected string"]],
    ["a value out of range", eventsListWire.query, { limit: 51 }, ["limit: Expected a value between 1 and 50"]],
    [
      "a string for credentials",
      credentialsUpsertWire.payload,
      { providerId: "fcm", credentials: "token" },
      [
        "credentials: Expected an object with the fields webhookUrl, channel, deviceTokens, alertUid, title, imageUrl, " +
          "state, externalUrl"
      ]
    ]
  ] as const) {
    it(`reports the allowed values of ${name}, in the words of the API document`, () => {
      const issues = makeInputCheck(schema)(inWireForm(input, schema))
      assert.deepStrictEqual(issues.map(issueLine), [...lines])
    })
  }

  for (const [name, shape, input, form] of [
    ["channels", eventsListWire.query, { channels: "email" }, { channels: ["email"] }],
    ["contextKeys", eventsListWire.query, { contextKeys: "tenant:north" }, { contextKeys: ["tenant:north"] }],
    [
      "deviceTokens",
      credentialsUpsertWire.payload,
      { credentials: { deviceTokens: "token" } },
      { credentials: { deviceTokens: ["token"] } }
    ]
  ] as const) {
    it(`accepts one string for ${name}, which the API document shows as an array only`, () => {
      assert.deepStrictEqual(inWireForm(input, shape), form)
      assert.deepStrictEqual(inWireForm(form, shape), form)
    })
  }

  it("leaves a string where the API document allows one, and removes keys without a value", () => {
    const filters = { subscriberIds: "ada", severity: "high", templates: "t1", emails: "ada@example.com" }
    assert.deepStrictEqual(inWireForm({ ...filters, search: undefined }, eventsListWire.query), filters)
    const mark = { messageId: "m1", markAs: "read" }
    assert.deepStrictEqual(inWireForm(mark, messagesMarkAsWire.payload), mark)
  })

  it("leaves out the name of an unknown field where it can be a secret", () => {
    const check = makeInputCheck(credentialsUpsertWire.payload)
    assert.deepStrictEqual(
      check({ providerId: "fcm", credentials: { "a-token": 1 } }).map(({ path }) => path),
      ["credentials"]
    )
  })

  it("names a misspelt or misplaced field", () => {
    const pathsOf = (shape: Parameters<typeof makeInputCheck>[0], input: object) =>
      makeInputCheck(shape)(input).map(({ path }) => path)
    assert.deepStrictEqual(pathsOf(credentialsUpsertWire.payload, { providerId: "fcm", credentials: { token: 1 } }), [
      "credentials.token"
    ])
    assert.deepStrictEqual(pathsOf(credentialsUpsertWire.payload, { providerId: "fcm", deviceTokens: [] }), [
      "deviceTokens",
      "credentials"
    ])
    assert.deepStrictEqual(pathsOf(messagesMarkAsWire.payload, { messageIds: [], markAs: "read" }), [
      "messageIds",
      "messageId"
    ])
  })
})
