import { isDeepStrictEqual } from "node:util"
import { channelProviderIds, jobProviderIds, workflowOrigins } from "../../src/contract/KnownValues.ts"
import { positions } from "../../src/contract/Operations.ts"
import { assert, describe, it } from "@effect/vitest"
import type { OperationName } from "../../src/contract/Operations.ts"
import * as Vendor from "../../src/reading/Vendor.ts"
import { type FieldType, rowsOf } from "./Table.ts"

const identifiers: ReadonlyArray<ReadonlyArray<string | number>> = [channelProviderIds, jobProviderIds, workflowOrigins]

const isIdentifier = (table: string, field: string, type: FieldType): boolean =>
  (type.kind === "enumeration" && identifiers.some((values) => isDeepStrictEqual(values, type.values))) ||
  (table === "Message" && field === "providerId")

/** The body of a table with `word` in every text and `identifier` at every position of a provider or origin. */
const bodyOf = (table: string, word: string, identifier: string, inside: ReadonlyArray<string> = []): unknown => {
  const valueOf = (type: FieldType): unknown => {
    switch (type.kind) {
      case "array":
        return [valueOf(type.element), valueOf(type.element)]
      case "table":
        return inside.includes(type.name) ? {} : bodyOf(type.name, word, identifier, [...inside, table])
      case "alternatives":
        return type.types[0] && valueOf(type.types[0])
      case "object":
        return { providerId: word, origin: word, channels: [{ providerId: word }] }
      default:
        return word
    }
  }
  return Object.fromEntries(
    rowsOf(table).map(({ field, type }) => [field, isIdentifier(table, field, type) ? identifier : valueOf(type)])
  )
}

const bodies: ReadonlyArray<{
  readonly operation: OperationName
  readonly body: (word: string, identifier: string) => unknown
}> = [
  { operation: "credentials.upsert", body: (word, identifier) => bodyOf("Subscriber", word, identifier) },
  { operation: "messages.markAs", body: (word, identifier) => [bodyOf("Message", word, identifier)] },
  { operation: "events.list", body: (word, identifier) => bodyOf("EventPage", word, identifier) }
]

describe("a vendor's name", () => {
  it.each(bodies)(
    "in a response of $operation is translated at every provider and origin, and nowhere else",
    (given) => {
      const wire = given.body("acme", "acme-slack")
      const neutral = given.body("acme", "service-slack")
      assert.notDeepEqual(wire, neutral)
      assert.deepStrictEqual(Vendor.responseFromWire(positions[given.operation], "acme", wire), neutral)
      assert.deepStrictEqual(Vendor.responseToWire(positions[given.operation], "acme", neutral), wire)
    }
  )

  it("in a request is translated at every provider, and nowhere else", () => {
    const wire = bodyOf("CredentialsUpsertPayload", "acme", "acme-slack")
    const neutral = bodyOf("CredentialsUpsertPayload", "acme", "service-slack")
    assert.deepStrictEqual(Vendor.requestFromWire(positions["credentials.upsert"], "acme", wire), neutral)
    assert.deepStrictEqual(Vendor.requestToWire(positions["credentials.upsert"], "acme", neutral), wire)
  })
})
