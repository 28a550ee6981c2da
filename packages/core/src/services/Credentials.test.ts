import { assert, describe } from "@effect/vitest"
import { it } from "../../test/It.ts"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import { inspect } from "node:util"
import { clientLayer, makeTransport, subscriber } from "../../test/transport/Transport.ts"
import { channelProviderIds } from "../contract/KnownValues.ts"
import { Credentials } from "./Credentials.ts"
import { anyProvider, type CredentialsInput } from "./CredentialsInput.ts"

const misplaced = "a-token-of-a-phone"

/** Upserts and hands over what was sent and what was logged. */
const upsert = Effect.fnUntraced(function* (input: CredentialsInput, vendor = "service") {
  const lines: Array<unknown> = []
  const transport = makeTransport(() => Response.json(subscriber))
  const result = yield* Credentials.use((credentials) => credentials.upsert("user-7", input)).pipe(
    Effect.result,
    Effect.provide(
      Layer.merge(
        clientLayer(transport, { vendor }),
        Logger.layer([Logger.make(({ message }) => void lines.push(message))])
      )
    )
  )
  return { result, lines, bodies: transport.sent.map(({ body }) => body) }
})

describe("upsert", () => {
  it.effect("sends what the provider needs", function* () {
    const input = { providerId: "fcm", credentials: { deviceTokens: ["token-one"] } } as const
    const { bodies, lines } = yield* upsert({ ...input, integrationIdentifier: undefined })
    assert.deepStrictEqual(bodies, [input])
    assert.deepStrictEqual(lines, [])
  })
  for (const make of [
    (deviceTokens: string): CredentialsInput => ({ providerId: "fcm", credentials: { deviceTokens } }),
    (deviceTokens: string): CredentialsInput => anyProvider("fcm", { deviceTokens })
  ]) {
    it.effect("sends one device token as an array, and reports it as a secret that the service appends", function* () {
      const { bodies } = yield* upsert(make("token-one"))
      assert.deepStrictEqual(bodies, [{ providerId: "fcm", credentials: { deviceTokens: ["token-one"] } }])
      const failing = makeTransport(() => new Response("no token-one here", { status: 503 }))
      const error = yield* Credentials.use((credentials) => credentials.upsert("user-7", make("token-one"))).pipe(
        Effect.flip,
        Effect.provide(clientLayer(failing))
      )
      assert.lengthOf(failing.sent, 1)
      assert.include(error.message, "a retry could append credentials.deviceTokens twice")
      assert.notInclude(inspect(error), "token-one")
    })
  }
  it.effect(
    "rejects device tokens that are undefined, for which services can remove those that they store",
    function* () {
      const credentials = { deviceTokens: undefined, title: undefined } as object
      for (const input of [{ providerId: "fcm", credentials } as const, anyProvider("fcm", credentials)]) {
        const { bodies, result } = yield* upsert(input)
        assert.deepStrictEqual(bodies, [])
        const message = result._tag === "Failure" ? result.failure.message : ""
        assert.include(message, "failed: credentials.deviceTokens: Expected an array of strings.")
      }
    }
  )
  it.effect("rejects blank device tokens before anything is sent", function* () {
    for (const deviceTokens of ["", ["token-one", " \n"]]) {
      for (const input of [
        { providerId: "fcm", credentials: { deviceTokens } } as const,
        anyProvider("fcm", { deviceTokens })
      ]) {
        const { bodies, result } = yield* upsert(input)
        assert.deepStrictEqual(bodies, [])
        const place = `credentials.deviceTokens[${deviceTokens.length === 0 ? 0 : 1}]: Expected text that is not blank`
        assert.include(result._tag === "Failure" ? result.failure.message : "", place)
      }
    }
  })
  it.effect("writes the vendor's name", function* () {
    const { bodies } = yield* upsert({ providerId: "service-slack", credentials: {} }, "acme")
    assert.deepStrictEqual(bodies, [{ providerId: "acme-slack", credentials: {} }])
  })
  it.effect("warns about an unusual field and sends it", function* () {
    // A caller without types.
    const input = { providerId: "slack", credentials: { deviceTokens: ["token-one"] } } as CredentialsInput
    const { bodies, lines } = yield* upsert(input)
    assert.deepStrictEqual(bodies, [input])
    assert.strictEqual(lines.length, 1)
    assert.include(String(lines[0]), "deviceTokens of provider slack is unusual")
    assert.notInclude(String(lines[0]), "token-one")
  })
  const misplacements: ReadonlyArray<readonly [string, object]> = [
    ["credentials", { providerId: "fcm", credentials: { [misplaced]: true, title: "t" } }],
    ["the input", { providerId: "fcm", credentials: {}, [misplaced]: true }],
    ["the input for any provider", { ...anyProvider("pigeon", {}), [misplaced]: true }]
  ]
  for (const [where, input] of misplacements) {
    it.effect(`shows no secret that stands for the name of a field of ${where}`, function* () {
      // A caller without types.
      const { bodies, lines, result } = yield* upsert(input as CredentialsInput)
      assert.deepStrictEqual(bodies, [])
      const error = result._tag === "Failure" ? result.failure : undefined
      assert.include(error?.message, "Unknown field; expected one of: ")
      assert.notInclude([error?.stack, JSON.stringify(error), inspect(error), ...lines].join(), misplaced)
    })
  }
  it.effect("refuses what is no provider without a warning about its fields", function* () {
    for (const providerId of [Symbol("fcm"), 7, "pigeon"]) {
      const input: object = { providerId, credentials: { channel: "roof" } }
      // A caller without types.
      const { lines, result } = yield* upsert(input as CredentialsInput)
      assert.include(
        result._tag === "Failure" ? result.failure.message : "",
        `providerId: Expected one of ${channelProviderIds[0]}, `
      )
      assert.deepStrictEqual(lines, [])
    }
  })
  it.effect("names the provider that was probably meant", function* () {
    const input: object = { providerId: "fmc", credentials: { deviceTokens: ["a"] } }
    // A caller without types.
    const { result } = yield* upsert(input as CredentialsInput)
    assert.include(result._tag === "Failure" ? result.failure.message : "", "; did you mean fcm?")
  })
  it.effect("anyProvider sends any field to any provider, without a warning", function* () {
    const { bodies, lines } = yield* upsert(anyProvider("carrier-pigeon", { channel: "roof", title: "t" }, "main"))
    assert.deepStrictEqual(bodies, [
      { providerId: "carrier-pigeon", credentials: { channel: "roof", title: "t" }, integrationIdentifier: "main" }
    ])
    assert.deepStrictEqual(lines, [])
  })
  it.effect(
    "anyProvider sends fields that this version does not know, and treats their values as secrets",
    function* () {
      const secret = "a-secret-of-a-new-provider"
      const credentials = { channel: "roof", loft: { keys: [secret], floor: 7, door: null } }
      const { bodies } = yield* upsert(anyProvider("carrier-pigeon", credentials))
      assert.deepStrictEqual(bodies, [{ providerId: "carrier-pigeon", credentials }])
      const error = yield* Credentials.use((service) =>
        service.upsert("user-7", anyProvider("carrier-pigeon", credentials))
      ).pipe(
        Effect.flip,
        Effect.provide(
          clientLayer(makeTransport(() => Response.json({ message: `no loft ${secret} on the roof` }, { status: 400 })))
        )
      )
      assert.include(error.message, "no loft <redacted> on the roof")
      assert.notInclude([error.stack, JSON.stringify(error), inspect(error)].join(), secret)
    }
  )
  it.effect("anyProvider checks the types of known fields", function* () {
    // A caller without types.
    const { bodies, result } = yield* upsert(anyProvider("carrier-pigeon", { channel: 7 as unknown as string }))
    assert.deepStrictEqual(bodies, [])
    assert.include(result._tag === "Failure" ? result.failure.message : "", "credentials.channel: Expected string")
  })
  it.effect("an unknown provider without it is refused", function* () {
    // A caller without types.
    const input = { providerId: "carrier-pigeon", credentials: {} } as unknown as CredentialsInput
    const { bodies, result } = yield* upsert(input)
    assert.deepStrictEqual(bodies, [])
    if (result._tag === "Failure" && result.failure.reason._tag === "InvalidRequest") {
      assert.deepStrictEqual(
        result.failure.reason.fields.map(({ path }) => path),
        ["providerId"]
      )
    } else assert.fail("expected InvalidRequest")
  })
  it.effect("a 2xx that cannot be read reports once that the change was accepted", function* () {
    const error = yield* Credentials.use((credentials) =>
      credentials.upsert("user-7", { providerId: "fcm", credentials: {} })
    ).pipe(Effect.flip, Effect.provide(clientLayer(makeTransport(() => Response.json({ ok: true })))))
    assert.strictEqual(error.reason._tag === "MalformedResponse" && error.reason.accepted, true)
    assert.strictEqual(error.message.match(/change was accepted/gi)?.length, 1)
    assert.include(error.advice, "The change was accepted; do not retry.")
    assert.isTrue(error.mayHaveBeenApplied)
  })
})
