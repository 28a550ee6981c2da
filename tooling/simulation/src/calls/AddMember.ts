import { defineOperation } from "@signalbox/core/DeclaredOperation"
import * as Schema from "effect/Schema"

/** An append that the program declares; the members of a topic are a list. */
export const addMember = defineOperation({
  name: "topics.addMember",
  method: "POST",
  path: "/v1/topics/:topicKey/members",
  output: Schema.toStandardSchemaV1(Schema.Struct({ members: Schema.Array(Schema.String) }))
})
