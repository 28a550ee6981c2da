import { readdirSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { expect } from "vitest"
import { cliPages } from "./docs/CliPages.ts"
import { helpDocs } from "./HelpDocs.ts"

const folder = new URL("../../../docs/cli/", import.meta.url)

describe("docs/cli", () => {
  it.effect("is what the definitions of the commands say", () =>
    Effect.gen(function* () {
      const pages = cliPages(yield* helpDocs)
      for (const { file, text } of pages) {
        yield* Effect.promise(() => expect(text).toMatchFileSnapshot(fileURLToPath(new URL(file, folder))))
      }
      assert.sameMembers(
        readdirSync(folder),
        pages.map(({ file }) => file)
      )
    })
  )

  it.effect("has a description and an example for every command", () =>
    Effect.gen(function* () {
      for (const { commandPath = [], description, examples = [], flags, subcommands = [] } of yield* helpDocs) {
        const place = commandPath.join(" ")
        assert.match(description, /^[A-Z].*\.$/u, place)
        if (subcommands.length === 0) assert.isNotEmpty(examples, place)
        for (const flag of flags) assert.strictEqual(flag.description._tag, "Some", `${place} --${flag.name}`)
      }
    })
  )
})
