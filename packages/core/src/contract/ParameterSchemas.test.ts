import { assert, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import { subscriberPath } from "./Operations.ts"
import { pathFieldsOf } from "./ParameterSchemas.ts"

it("a path parameter rejects what a URL parser would resolve away, and nothing else", () => {
  const is = Schema.is(Schema.Struct(pathFieldsOf(subscriberPath)))
  for (const subscriberId of ["", ".", ".."]) assert.isFalse(is({ subscriberId }), subscriberId)
  for (const subscriberId of ["ada", "...", "a/b", "%2e", " ", "ünï", "a?b#c"]) assert.isTrue(is({ subscriberId }))
})
