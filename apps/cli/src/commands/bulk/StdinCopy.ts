/**
 * A copy of stdin, because a run reads its input several times, and again after a crash.
 */
import { messageOf } from "@signalbox/operator/text/SystemReason"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import { createHash, randomUUID } from "node:crypto"
import { mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { usage, UsageError } from "../../failure/CommandError.ts"
import { Process } from "../../process/Process.ts"
import type { LinesInput } from "./BulkFlags.ts"

const temporaryFolder = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(join(tmpdir(), "signalbox-"))),
  (folder) => Effect.promise(() => rm(folder, { recursive: true, force: true }))
)

/** Copies stdin to a file whose name follows from the content, so that the same input continues the same run. */
export const copyStdin = Effect.fnUntraced(function* ({
  database,
  dryRun,
  format,
  journalFolder,
  stage
}: LinesInput): Effect.fn.Return<string, UsageError, Process | Scope.Scope> {
  const isElsewhere = dryRun || (Option.isSome(database) && stage)
  if (!isElsewhere && Option.isNone(journalFolder)) {
    const flag = Option.isSome(database) ? "--stage" : "--journal FOLDER, which keeps a copy of it"
    return yield* usage(`stdin as the input needs ${flag}`)
  }
  const { stdinBytes } = yield* Process
  const folder = isElsewhere ? yield* temporaryFolder : Option.getOrElse(journalFolder, () => ".")
  return yield* Effect.tryPromise({
    try: async () => {
      await mkdir(folder, { recursive: true })
      const hash = createHash("sha256")
      const copy = join(folder, `stdin-${randomUUID()}`)
      const hashed = async function* () {
        for await (const bytes of stdinBytes()) {
          hash.update(bytes)
          yield bytes
        }
      }
      await writeFile(copy, hashed(), { mode: 0o600, flush: true })
      const name = `stdin-${hash.digest("hex").slice(0, 16)}.${Option.getOrElse(format, () => "ndjson")}`
      await rename(copy, join(folder, name))
      return join(folder, name)
    },
    catch: (cause) => {
      const reason = messageOf(cause)
      return new UsageError({ message: `cannot copy stdin to ${folder}: ${reason}` })
    }
  })
})
