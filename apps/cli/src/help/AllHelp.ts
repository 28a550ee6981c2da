/**
 * The help of every command, for the documentation and for the file that the build writes.
 */
import { readdirSync, readFileSync } from "node:fs"
import * as Effect from "effect/Effect"
import type { HelpDoc } from "effect/cli/HelpDoc"
import { makeHelpDocs } from "../CommandLine.ts"
import { makeNodeProcess } from "../process/NodeProcess.ts"

import type { WrittenHelp } from "./WrittenHelp.ts"

export { writtenHelpFile } from "./WrittenHelp.ts"

/** The help of every command, the root first. */
export const allHelp = (): Promise<ReadonlyArray<HelpDoc>> =>
  Effect.runPromise(makeHelpDocs(makeNodeProcess("").service).all)

const errorPages = new URL("../../../../docs/errors/", import.meta.url)

/** The page of a reason as text for a terminal: without the comment, links and marks of code. */
const textOf = (page: string): string =>
  page
    .replace(/^<!--.*?-->\s*# /su, "")
    .replaceAll(/^```.*\n/gmu, "")
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/gu, "$1")
    .replaceAll(/\*\*|^## /gmu, "")

/** The help that the build writes: of every command, and of every reason of a failed call. */
export const writeHelp = async (): Promise<WrittenHelp> => ({
  commands: await allHelp(),
  reasons: readdirSync(errorPages).map((file) => textOf(readFileSync(new URL(file, errorPages), "utf8")))
})
