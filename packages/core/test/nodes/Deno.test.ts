import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { makeCertificates } from "./Certificates.ts"
import { reportOf, rowsHere } from "./DeliveryTable.ts"
import { nodeProgram } from "./NodeProgram.ts"

const permanent = rowsHere().flatMap(({ advice, name, open }) => (advice === undefined ? [] : [{ advice, name, open }]))

describe("a permanent failure to connect on Deno", () => {
  const run = nodeProgram("observeAdvice")

  it.live("is not sent, not retried, and says what to do", () =>
    Effect.gen(function* () {
      const certificates = yield* Effect.promise(makeCertificates)
      const places: Record<string, string> = {}
      for (const { name, open } of permanent) places[name] = yield* open(certificates)
      const input = { input: JSON.stringify(places), trusted: certificates.authority.cert }
      assert.deepStrictEqual(
        yield* Effect.promise(() => run("Deno", input)),
        Object.fromEntries(permanent.map(({ advice, name }) => [name, reportOf("not-sent", { attempts: 1, advice })]))
      )
    })
  )
})
