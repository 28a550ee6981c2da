import { readFile } from "node:fs/promises"
import { systemReason } from "@signalbox/operator/text/SystemReason"
import * as Effect from "effect/Effect"
import { UsageError } from "../failure/CommandError.ts"
import { Process } from "../process/Process.ts"

/** Reads the file that a flag names, or stdin for `-`. */
export const readText = Effect.fnUntraced(function* (flag: string, path: string) {
  const { stdin } = yield* Process
  if (path === "-") return yield* stdin
  return yield* Effect.tryPromise({
    try: () => readFile(path, "utf8"),
    catch: (error) => new UsageError({ message: `--${flag}: cannot read ${path}: ${systemReason(error)}` })
  })
})
