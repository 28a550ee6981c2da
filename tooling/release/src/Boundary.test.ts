import { assert, describe, it } from "@effect/vitest"
import { fileURLToPath } from "node:url"
import { boundaries, violations } from "./Boundary.ts"
import { bundleEntry } from "./EntryBundle.ts"

const here = fileURLToPath(import.meta.url)
const client = { specifier: "@example/client", file: here, allowed: ["effect", "effect/http"], mayUseNode: false }

describe("import boundaries", () => {
  it("cover every library", () => {
    const specifiers = boundaries().map((boundary) => boundary.specifier)
    assert.includeMembers(specifiers, ["@signalbox/core", "@signalbox/core/Events", "@signalbox/core/Schemas"])
    assert.includeMembers(specifiers, ["@signalbox/sdk", "@signalbox/sdk/effect"])
    assert.includeMembers(specifiers, ["@signalbox/test-harness", "@signalbox/test-harness/server"])
    assert.deepStrictEqual(
      specifiers.filter((specifier) => /\/internal\/|\.test$|\/index$/.test(specifier)),
      []
    )
  })

  for (const boundary of boundaries()) {
    it(`${boundary.specifier} reaches nothing outside its list`, async () => {
      assert.deepStrictEqual(violations(boundary, await bundleEntry({ file: boundary.file })), [])
    })
  }

  describe("fail for a program that breaks them", () => {
    const found = async (text: string) => violations(client, await bundleEntry({ text, beside: here }))

    it("a Node module", async () => {
      assert.deepStrictEqual(await found(`import { readFileSync } from "node:fs"; readFileSync("x")`), [
        `@example/client reaches the Node module "node:fs" in <stdin>`
      ])
    })

    it("a module that is imported and never used", async () => {
      assert.lengthOf(await found(`import "node:net"; export const unused = 1`), 1)
    })

    it("a package outside the list", async () => {
      assert.include((await found(`import * as publint from "publint"; publint.publint({})`)).join("\n"), `"publint"`)
    })

    it("the description of the API in client code", async () => {
      const lines = await found(
        `import * as HttpApi from "effect/http-api/HttpApi"; export const api = HttpApi.make("x")`
      )
      assert.include(lines.join("\n"), `reaches "effect/http-api"`)
    })

    it("a whole library where one module would do", async () => {
      assert.deepStrictEqual(await found(`import { Effect } from "effect"; export const one = Effect.succeed(1)`), [
        `<stdin> imports all of "effect"; import the one module it needs`
      ])
    })
  })
})
