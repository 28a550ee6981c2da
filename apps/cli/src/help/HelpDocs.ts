/**
 * The help of commands as data, for completions and for the documentation.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as CliOutput from "effect/cli/CliOutput"
import * as Command from "effect/cli/Command"
import type { HelpDoc } from "effect/cli/HelpDoc"
import { commandNames } from "../failure/UsageLine.ts"

/** Finds the help of commands; a command of the tree itself can use it. */
export class HelpDocs extends Context.Service<
  HelpDocs,
  {
    /** The help of one command, by its path. */
    readonly find: (path: ReadonlyArray<string>) => Effect.Effect<HelpDoc | undefined>
    /** The help of every command, the root first. Loads all of them. */
    readonly all: Effect.Effect<ReadonlyArray<HelpDoc>>
  }
>()("signalbox/cli/HelpDocs") {}

/** The help of a command and of those below it. */
export const helpBelow = Effect.fnUntraced(function* (
  find: HelpDocs["Service"]["find"],
  path: ReadonlyArray<string>
): Effect.fn.Return<ReadonlyArray<HelpDoc>> {
  const doc = yield* find(path)
  if (doc === undefined) return yield* Effect.die(new Error(`no help for ${path.join(" ")}`))
  const docs: Array<HelpDoc> = [doc]
  for (const name of commandNames(doc)) docs.push(...(yield* helpBelow(find, [...path, name])))
  return docs
})

/** The help of one command of a tree; `undefined` where there is no such command. */
export const helpDocOf = Effect.fnUntraced(function* <Name extends string, Input, E, R, Context>(
  tree: Command.Command<Name, Input, Context, E, R>,
  path: ReadonlyArray<string>
) {
  const shown: Array<HelpDoc> = []
  const presenter: CliOutput.Presenter = {
    present: (event) =>
      Effect.sync(() => {
        if (event._tag === "Help" && event.reason === "Requested") shown.push(event.helpDoc)
      })
  }
  yield* Command.runWith(tree, { version: "" })([...path, "--help"]).pipe(
    Effect.provideService(CliOutput.Presenter, presenter),
    Effect.ignore
  )
  return shown[0]
})
