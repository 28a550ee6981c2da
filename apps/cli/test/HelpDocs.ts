import * as Effect from "effect/Effect"
import type { HelpDoc } from "effect/cli/HelpDoc"
import { makeHelpDocs } from "../src/CommandLine.ts"
import { commandNames } from "../src/failure/UsageLine.ts"
import { makeTestProcess } from "./CommandLineTest.ts"

const { find } = makeHelpDocs(makeTestProcess().process)

const below = (path: ReadonlyArray<string>): Effect.Effect<ReadonlyArray<HelpDoc>> =>
  Effect.gen(function* () {
    const doc = yield* find(path)
    if (doc === undefined) return yield* Effect.die(new Error(`no help for ${path.join(" ")}`))
    const docs: Array<HelpDoc> = [doc]
    for (const name of commandNames(doc)) docs.push(...(yield* below([...path, name])))
    return docs
  })

/** The help of every command, the root first. */
export const helpDocs = below([])
