import * as Effect from "effect/Effect"
import * as CliOutput from "effect/cli/CliOutput"
import * as Command from "effect/cli/Command"
import type { HelpDoc } from "effect/cli/HelpDoc"
import { parserLayer } from "../src/CommandLine.ts"
import { commands } from "../src/commands/Commands.ts"
import { commandNames } from "../src/failure/UsageLine.ts"
import { Process } from "../src/process/Process.ts"
import { makeTestProcess } from "./CommandLineTest.ts"

/** The help of one command as data. */
const helpDocOf = Effect.fnUntraced(function* (path: ReadonlyArray<string>) {
  const shown: Array<HelpDoc> = []
  const presenter: CliOutput.Presenter = {
    present: (event) =>
      Effect.sync(() => {
        if (event._tag === "Help") shown.push(event.helpDoc)
      })
  }
  yield* Command.runWith(commands, { version: "0.0.0" })([...path, "--help"]).pipe(
    Effect.provideService(CliOutput.Presenter, presenter),
    Effect.provide(parserLayer),
    Effect.ignore
  )
  const [doc] = shown
  return doc ?? (yield* Effect.die(new Error(`no help for ${path.join(" ")}`)))
})

const below = (path: ReadonlyArray<string>): Effect.Effect<ReadonlyArray<HelpDoc>, never, Process> =>
  Effect.gen(function* () {
    const doc = yield* helpDocOf(path)
    const docs: Array<HelpDoc> = [doc]
    for (const name of commandNames(doc)) docs.push(...(yield* below([...path, name])))
    return docs
  })

/** The help of every command, the root first. */
export const helpDocs = Effect.provideService(below([]), Process, makeTestProcess().process)
