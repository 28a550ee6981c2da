import { assert, describe, it } from "@effect/vitest"
import { createClient, type DeclaredOperation, defineOperation } from "@signalbox/sdk"
import { createFake, expectFake } from "@signalbox/test-harness"
import { type } from "arktype"
import * as Schema from "effect/Schema"
import * as v from "valibot"
import { z } from "zod"

const endpoint = { method: "POST", path: "/v1/topics/:topicKey/members" } as const

interface Input {
  readonly path: { readonly topicKey: string }
  readonly query?: { readonly notify?: number | undefined } | undefined
  readonly body: { readonly subscriberId: string; readonly name?: string | undefined }
}

interface Output {
  readonly members: ReadonlyArray<string>
}

/** The same operation, declared with each library; the types must be those that its schemas infer. */
const operations: Readonly<Record<string, DeclaredOperation<Input, Output>>> = {
  zod: defineOperation({
    ...endpoint,
    name: "zod.addMember",
    input: z.object({
      path: z.object({ topicKey: z.string() }),
      query: z.object({ notify: z.number().optional() }).optional(),
      body: z.object({ subscriberId: z.string(), name: z.string().default("unnamed") })
    }),
    output: z.object({ members: z.array(z.string()) })
  }),
  valibot: defineOperation({
    ...endpoint,
    name: "valibot.addMember",
    input: v.object({
      path: v.object({ topicKey: v.string() }),
      query: v.optional(v.object({ notify: v.optional(v.number()) })),
      body: v.object({ subscriberId: v.string(), name: v.optional(v.string(), "unnamed") })
    }),
    output: v.object({ members: v.array(v.string()) })
  }),
  arktype: defineOperation({
    ...endpoint,
    name: "arktype.addMember",
    input: type({
      path: { topicKey: "string" },
      "query?": { "notify?": "number" },
      body: { subscriberId: "string", name: "string = 'unnamed'" }
    }),
    output: type({ members: "string[]" })
  }),
  effect: defineOperation({
    ...endpoint,
    name: "effect.addMember",
    input: Schema.toStandardSchemaV1(
      Schema.Struct({
        path: Schema.Struct({ topicKey: Schema.String }),
        query: Schema.optional(Schema.Struct({ notify: Schema.optional(Schema.Finite) })),
        body: Schema.Struct({ subscriberId: Schema.String, name: Schema.optional(Schema.String) })
      })
    ),
    output: Schema.toStandardSchemaV1(Schema.Struct({ members: Schema.Array(Schema.String) }))
  })
}

const sceneOf = (operation: DeclaredOperation<Input, Output>) => {
  const fake = createFake({ data: "empty" })
  const { apiKey, baseUrl, fetch } = fake
  const client = createClient({ apiKey, baseUrl, fetch })
  return { fake, client, operation, [Symbol.asyncDispose]: client.close }
}

describe.each(Object.entries(operations))("an operation declared with %s", (library, operation) => {
  it("is called and served with its types, defaults and numbers of the query", async () => {
    await using scene = sceneOf(operation)
    scene.fake.route<Input, Output, ReadonlyArray<string>>(operation, ({ input: { body, query }, state = [] }) => {
      assert.strictEqual(query?.notify, 5)
      const members = [...state, `${body.subscriberId} ${body.name}`]
      return { body: { members }, state: members }
    })
    const input = { path: { topicKey: "a/b" }, query: { notify: 5 }, body: { subscriberId: "ana" } }
    const name = library === "effect" ? undefined : "unnamed"
    const { members } = await scene.client.call(operation, input)
    assert.deepStrictEqual(members, [`ana ${name}`])
    expectFake(scene.fake).received({ operation, body: { subscriberId: "ana", ...(name && { name }) } })
  })
  it("rejects an input in one line that names the field, and sends nothing", async () => {
    await using scene = sceneOf(operation)
    // Callers without types can pass anything.
    const wrong = { path: { topicKey: "news" }, body: { subscriberId: 7 } } as unknown as Input
    const result = await scene.client.call.result(operation, wrong)
    if (result.ok || result.error.reason._tag !== "InvalidRequest") throw new Error("expected an invalid request")
    assert.deepStrictEqual(
      result.error.reason.fields.map(({ path }) => path),
      ["body.subscriberId"]
    )
    assert.notInclude(result.error.message, "\n")
    assert.lengthOf(scene.fake.journal.entries(), 0)
  })
  it("leaves out the elements of a response that its schema rejects", async () => {
    await using scene = sceneOf(operation)
    scene.fake.route<Input, unknown>(operation, () => ({ body: { members: ["ana", 7, "bo"] } }))
    const input = { path: { topicKey: "news" }, body: { subscriberId: "ana" } }
    const result = await scene.client.call.result(operation, input)
    if (!result.ok) throw result.error
    assert.deepStrictEqual(result.value, { members: ["ana", "bo"] })
    assert.deepStrictEqual(
      result.call.unreadable.map(({ path }) => path),
      ["members[1]"]
    )
  })
})

it.each([
  ["zod", z.object({ body: z.object({}) })],
  ["valibot", v.object({ body: v.object({}) })],
  ["arktype", type({ body: "object" })]
] as const)("a declaration without its path parameter in the schema of %s throws when it is made", (library, input) => {
  assert.throws(
    // @ts-expect-error the input lacks the parameter
    () => defineOperation({ ...endpoint, name: `${library}.wrong`, input }),
    /input has no path\.topicKey, which \/v1\/topics\/:topicKey\/members needs$/u
  )
})
