import { assert, describe, it } from "@effect/vitest"
import { CredentialsUpsertPayload } from "../api/CredentialsUpsert.ts"
import { EventsListQuery } from "../api/EventsList.ts"
import { MessagesMarkAsPayload } from "../api/MessagesMarkAs.ts"
import { complaintLine } from "./ErrorBody.ts"
import { makeInputCheck, withoutUndefined } from "./Input.ts"

const filters =
  "channels, templates, emails, search, subscriberIds, severity, page, limit, transactionId, topicKey, contextKeys, " +
  "after, before"

describe("the check of an input", () => {
  const ring: Record<string, unknown> = {}
  ring["self"] = ring
  for (const [name, schema, input, lines] of [
    ["no object", MessagesMarkAsPayload, undefined, ["Expected an object with the fields messageId, markAs"]],
    ["an array for an object", MessagesMarkAsPayload, [], ["Expected an object with the fields messageId, markAs"]],
    ["a filter with a typing error", EventsListQuery, { limt: 5 }, [`limt: Unknown field; allowed are ${filters}`]],
    ["a ring", EventsListQuery, ring, [`self: Unknown field; allowed are ${filters}`]],
    [
      "a filter that assignments would lose",
      EventsListQuery,
      JSON.parse('{"__proto__":{"limit":5}}'),
      [`__proto__: Unknown field; allowed are ${filters}`]
    ],
    ["a text for an array", EventsListQuery, { channels: "email" }, ["channels: Expected an array of strings"]],
    ["a number in an array", EventsListQuery, { channels: ["email", 7] }, ["channels[1]: Expected string"]],
    ["a value out of range", EventsListQuery, { limit: 51 }, ["limit: Expected a value between 1 and 50"]],
    [
      "a text for credentials",
      CredentialsUpsertPayload,
      { providerId: "fcm", credentials: "token" },
      [
        "credentials: Expected an object with the fields webhookUrl, channel, deviceTokens, alertUid, title, imageUrl, " +
          "state, externalUrl"
      ]
    ]
  ] as const) {
    it(`says of ${name} what is allowed, in the words of the API document`, () => {
      const complaints = makeInputCheck(schema, true)(withoutUndefined(input))
      assert.deepStrictEqual(complaints.map(complaintLine), [...lines])
    })
  }

  it("leaves out the name of an unknown field where it can be a secret", () => {
    const check = makeInputCheck(CredentialsUpsertPayload)
    assert.deepStrictEqual(
      check({ providerId: "fcm", credentials: { "a-token": 1 } }).map(({ path }) => path),
      ["credentials"]
    )
  })
})
