import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { readFileSync } from "node:fs"
import { inspect } from "node:util"
import { vi } from "vitest"
import { tagsOfClasses } from "../../test/outcomes/ErrorsPage.ts"
import { clientLayer, makeTransport } from "../../test/transport/Transport.ts"
import { Credentials } from "../services/Credentials.ts"
import { Events } from "../services/Events.ts"
import { withDocs } from "./Advice.ts"
import { docsUrl } from "./DocsUrl.ts"
import type { Reason } from "./Reason.ts"

vi.mock("./DocsUrl.ts", () => ({ docsUrl: "https://docs.example.com" }))

const notFound = clientLayer(makeTransport(() => new Response(`{"message":"no such subscriber"}`, { status: 404 })))

const upsert = Credentials.use((credentials) =>
  credentials.upsert("ana", { providerId: "fcm", credentials: { deviceTokens: ["a-token"] } })
)

describe("where the documentation is published", () => {
  it.effect("an error ends with a link to its reason: message, advice, JSON and inspect", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(Effect.provide(upsert, notFound))
      const link = "https://docs.example.com/errors/#notfound"
      assert.isTrue(error.message.endsWith(` See ${link}`), error.message)
      assert.isTrue(error.advice.endsWith(` See ${link}`), error.advice)
      assert.include(JSON.stringify(error), link)
      assert.include(inspect(error), link)
    })
  )

  it.effect("so does an error that needs no request", () =>
    Effect.gen(function* () {
      const walk = Events.use((events) => Stream.runDrain(events.pages({}, { cursor: "not a cursor" })))
      const error = yield* Effect.flip(Effect.provide(walk, notFound))
      assert.include(error.message, "https://docs.example.com/errors/#invalidrequest")
    })
  )

  it("every reason has the heading that its link leads to", () => {
    const page = readFileSync(new URL("../../../../docs/errors.md", import.meta.url), "utf8")
    const anchors = [...page.matchAll(/^### (\w+)$/gm)].map(([, heading = ""]) => heading.toLowerCase())
    for (const tag of tagsOfClasses) {
      const link = withDocs("", { _tag: tag, message: "" } as Reason).slice(` See ${docsUrl}/errors/#`.length)
      assert.include(anchors, link)
    }
  })
})
