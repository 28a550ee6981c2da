import { assert, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import { SubscriberId } from "./SubscriberId.ts"

it("SubscriberId refuses what a URL parser would resolve away, and nothing else", () => {
  const is = Schema.is(SubscriberId)
  for (const id of ["", ".", ".."]) assert.isFalse(is(id), id)
  for (const id of ["ada", "...", "a/b", "%2e", " ", "ünï", "a?b#c"]) assert.isTrue(is(id), id)
})
