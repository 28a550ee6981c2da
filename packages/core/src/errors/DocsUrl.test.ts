import { afterAll, assert, beforeAll, describe } from "@effect/vitest"
import { it } from "../../test/It.ts"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { existsSync } from "node:fs"
import { inspect } from "node:util"
import { vi } from "vitest"
import { tagsOfClasses } from "../../test/outcomes/ErrorsPage.ts"
import type { Reason } from "./Reason.ts"

/** The modules of this package, loaded again with an address of the documentation. */
const load = async () => ({
  advice: await import("./Advice.ts"),
  credentials: await import("../services/Credentials.ts"),
  events: await import("../services/Events.ts"),
  transport: await import("../../test/transport/Transport.ts")
})

describe("where the documentation is published", () => {
  let modules: Awaited<ReturnType<typeof load>>

  // Other test files of this process have no address, before and after.
  beforeAll(async () => {
    vi.resetModules()
    vi.doMock("./DocsUrl.ts", () => ({ docsUrl: "https://docs.example.com" }))
    modules = await load()
  })

  afterAll(() => {
    vi.doUnmock("./DocsUrl.ts")
    vi.resetModules()
  })

  const notFound = () => {
    const { clientLayer, makeTransport } = modules.transport
    return clientLayer(makeTransport(() => new Response(`{"message":"no such subscriber"}`, { status: 404 })))
  }

  it.effect("an error ends with a link to its reason: message, advice, JSON and inspect", function* () {
    const upsert = modules.credentials.Credentials.use((credentials) =>
      credentials.upsert("ana", { providerId: "fcm", credentials: { deviceTokens: ["a-token"] } })
    )
    const error = yield* Effect.flip(Effect.provide(upsert, notFound()))
    const link = "https://docs.example.com/errors/notfound/"
    assert.isTrue(error.message.endsWith(` See ${link}`), error.message)
    assert.isTrue(error.advice.endsWith(` See ${link}`), error.advice)
    assert.include(JSON.stringify(error), link)
    assert.include(inspect(error), link)
  })

  it.effect("ends an error that needs no request with it, too", function* () {
    const walk = modules.events.Events.use((events) => Stream.runDrain(events.pages({}, { cursor: "not a cursor" })))
    const error = yield* Effect.flip(Effect.provide(walk, notFound()))
    assert.include(error.message, "https://docs.example.com/errors/invalidrequest/")
  })

  it("every reason has the page that its link leads to", () => {
    for (const tag of tagsOfClasses) {
      const link = modules.advice.withDocs("", { _tag: tag, message: "" } as Reason)
      const [, route = ""] = /^ See https:\/\/docs\.example\.com\/(.+)\/$/u.exec(link) ?? []
      assert.isTrue(existsSync(new URL(`../../../../docs/${route}.md`, import.meta.url)), link)
    }
  })
})
