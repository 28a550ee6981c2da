import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import { defineOperation } from "./DeclaredOperation.ts"

const declaration = { name: "topics.create", method: "POST", path: "/v1/topics" } as const

const withBody = Schema.toStandardSchemaV1(Schema.Struct({ body: Schema.Struct({ key: Schema.String }) }))

describe("a declaration", () => {
  defineOperation(declaration)
  for (const [what, wrong, line] of [
    [
      "without a resource in its name",
      { name: "create" },
      "name: must be a resource and an action, such as events.trigger"
    ],
    ["with an unknown method", { method: "HEAD" }, "method: must be one of GET, POST, PUT, PATCH, DELETE"],
    [
      "with a query in its path",
      { path: "/v1/topics?all" },
      "path: must be a path such as /v1/topics/:topicKey, percent-encoded, without a query"
    ],
    ["with an unknown field", { retries: 2 }, "retries: unknown option; expected one of: name, method, path, input"],
    ["with an input that is no schema", { input: {} }, "input: must be a Standard Schema"],
    [
      "with a secret at no position",
      { secrets: ["token"] },
      "secrets: must be positions that start with path, query or body"
    ],
    ["with an invalid retry", { retry: { maxRetries: -1 } }, "retry.maxRetries: must be a whole number of at least 0"],
    [
      "whose input lacks a path parameter",
      { name: "topics.rename", path: "/v1/topics/:topicKey", input: withBody },
      "input has no path.topicKey, which /v1/topics/:topicKey needs"
    ],
    [
      "of a GET with a body",
      { name: "topics.find", method: "GET", input: withBody },
      "input has a body, which a GET cannot send"
    ],
    [
      "with two equal path parameters",
      { path: "/v1/:id/of/:id" },
      "path: two parameters of /v1/:id/of/:id have the same name"
    ],
    ["with the name of another one", { method: "PUT" }, "name: POST /v1/topics has this name"],
    [
      "with the name of an operation of this library",
      { name: "events.list" },
      "name: an operation of this library has this name"
    ]
  ] as const) {
    it(`${what} is rejected in one line`, () => {
      try {
        // Callers without types can pass anything.
        defineOperation({ ...declaration, ...wrong } as never)
      } catch (error) {
        assert.instanceOf(error, RangeError)
        const { message } = error as RangeError
        assert.include(message, `: ${line}`)
        assert.match(message, /^defineOperation\("[\w.]+"\): .+$/)
        return
      }
      assert.fail("the declaration was accepted")
    })
  }
  it("can be made again by a module that is evaluated again", () => {
    assert.strictEqual(defineOperation(declaration).name, "topics.create")
  })
})
