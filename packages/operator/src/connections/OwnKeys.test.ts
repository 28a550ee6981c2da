import { assert, describe, it } from "@effect/vitest"
import { Transport, TransportError } from "@signalbox/core/Transport"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { inspect } from "node:util"
import * as OwnKeys from "./OwnKeys.ts"

const key = "own-key-4711/+"
OwnKeys.protectKey(Redacted.make(key))
OwnKeys.protectKey(Redacted.make("email"))

const forms = [key, encodeURIComponent(key), btoa(key), btoa(`user:${key}`), JSON.stringify(key).replaceAll("/", "\\/")]
const everywhere = forms.join(" ")

const request = { method: "GET", url: "https://api.example.test/v1", headers: {}, body: undefined } as const

const sendOver = (send: Transport["Service"]["send"], onProgress?: Parameters<typeof send>[1]) =>
  Transport.use((transport) => transport.send(request, onProgress)).pipe(
    Effect.provide(OwnKeys.layer.pipe(Layer.provide(Layer.succeed(Transport, { send }))))
  )

const assertNoKey = (shown: string) => {
  for (const form of [key, encodeURIComponent(key), btoa(key).slice(0, 16), btoa(`user:${key}`).slice(7, 24)]) {
    assert.notInclude(shown, form)
  }
}

describe("the keys of an app", () => {
  it.effect("are in no response, in any encoding; other words stay", () =>
    Effect.gen(function* () {
      const response = yield* sendOver(() =>
        Effect.succeed({
          status: 200,
          headers: { "x-request-id": everywhere, "content-type": undefined },
          text: JSON.stringify({ channel: "email", note: everywhere })
        })
      )
      assertNoKey(inspect(response))
      assert.strictEqual(JSON.parse(response.text).channel, "email")
    })
  )
  it.effect("are not in the headers of a response that breaks off", () =>
    Effect.gen(function* () {
      const failed = new TransportError({
        cause: new Error("socket hang up"),
        partial: { status: 200, headers: { "x-debug": everywhere } },
        delivery: "unknown",
        isTooLarge: true
      })
      const error = yield* Effect.flip(sendOver(() => Effect.fail(failed)))
      assertNoKey(inspect(error.partial))
      assert.deepStrictEqual([error.partial?.status, error.delivery, error.isTooLarge], [200, "unknown", true])
      assert.strictEqual(error.cause, failed.cause)
    })
  )
  it.effect("are not in the headers of a response whose body never ends", () =>
    Effect.gen(function* () {
      const seen: Array<unknown> = []
      yield* sendOver(
        (_, onProgress) => {
          onProgress?.()
          onProgress?.({ status: 404, headers: { "x-debug": everywhere } })
          return Effect.succeed({ status: 404, headers: {}, text: "" })
        },
        (head) => void seen.push(head)
      )
      assert.isUndefined(seen[0])
      assert.nestedInclude(seen[1], { status: 404 })
      assertNoKey(inspect(seen[1]))
    })
  )
  it("are not in messages, also where they are words that stand alone", () => {
    assertNoKey(OwnKeys.ownRedaction("messages").text(everywhere))
    assert.strictEqual(OwnKeys.ownRedaction("messages").text("key email for emails"), "key <redacted> for emails")
  })
})
