import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import { AnyProviderPayload, registry } from "../../Registry.ts"
import { makeInputCheck } from "../../src/call/Input.ts"
import { eventsListQuery } from "../../src/contract/Operations.ts"
import { fieldsOf } from "../../src/contract/ParameterSchemas.ts"
import {
  anyProviderShape,
  credentialsUpsertWire,
  eventsListWire,
  messagesMarkAsWire
} from "../../src/reading/Shapes.ts"
import { makeSchemaInputCheck } from "../schema/SchemaInput.ts"

const values = [
  undefined,
  null,
  true,
  "",
  "text",
  "..",
  "read",
  "fcm",
  0,
  1,
  50,
  51,
  -1,
  1.5,
  Number.NaN,
  Infinity,
  2 ** 53,
  [],
  ["a"],
  ["a", 1],
  [["a"]],
  {},
  { surprise: 1 },
  { deviceTokens: ["a"], webhookUrl: 1 },
  { deviceTokens: [1, "a", null], surprise: { deep: 1 } }
]

describe("the checks of inputs", () => {
  it.each([
    ["the filters of events", Schema.Struct(fieldsOf(eventsListQuery)), eventsListWire.query],
    ["the parameters of marks", registry["messages.markAs"].params, messagesMarkAsWire.params],
    ["the payload of marks", registry["messages.markAs"].payload, messagesMarkAsWire.payload],
    ["the parameters of credentials", registry["credentials.upsert"].params, credentialsUpsertWire.params],
    ["the payload of credentials", registry["credentials.upsert"].payload, credentialsUpsertWire.payload],
    ["the payload of any provider", AnyProviderPayload, anyProviderShape]
  ] as const)("agree with the schemas about %s", (_, schema, shape) => {
    const check = makeInputCheck(shape)
    const checkBySchema = makeSchemaInputCheck(schema)
    const names = [...Object.keys(shape?.fields ?? {}), "surprise", "a-token-of-a-phone"]
    const inputs = [
      ...values,
      ...names.flatMap((name) => values.map((value) => ({ [name]: value }))),
      ...values.map((value) => Object.fromEntries(names.map((name) => [name, value])))
    ]
    for (const input of inputs) assert.deepStrictEqual(check(input), checkBySchema(input))
  })
})
