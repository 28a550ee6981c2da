import { readFile } from "node:fs/promises"
import * as Effect from "effect/Effect"
import { UsageError } from "../failure/CommandError.ts"
import { Process } from "../process/Process.ts"

const problems: Readonly<Record<string, string>> = {
  ENOENT: "no such file",
  EACCES: "no permission",
  EISDIR: "it is a folder"
}

const problemOf = (error: unknown): string => {
  const code = error instanceof Error && "code" in error ? String(error.code) : "unreadable"
  return problems[code] ?? code
}

/** Reads the file that a flag names, or stdin for `-`. */
export const readText = Effect.fnUntraced(function* (flag: string, path: string) {
  const { stdin } = yield* Process
  if (path === "-") return yield* stdin
  return yield* Effect.tryPromise({
    try: () => readFile(path, "utf8"),
    catch: (error) => new UsageError({ message: `--${flag}: cannot read ${path}: ${problemOf(error)}` })
  })
})
