import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { spawnSync } from "node:child_process"
import { chmodSync, mkdirSync, unlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as Runs from "../../src/index.ts"
import { honoursKeys, makeService, tempFolder, tokenLines, tokensBySubscriber, write } from "../TestService.ts"

/** A file system of 64 KB in a folder; needs root. */
const mountSmall = (folder: string) =>
  Effect.acquireRelease(
    Effect.sync(() => spawnSync("mount", ["-t", "tmpfs", "-o", "size=64k", "tmpfs", folder]).status === 0),
    (isMounted) =>
      Effect.sync(() => {
        if (isMounted) spawnSync("umount", [folder])
      })
  )

const nobody = 65_534

/** Works without the rights of root, which may read and write everything. */
const asNobody = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  process.geteuid?.() === 0
    ? Effect.acquireUseRelease(
        Effect.sync(() => process.seteuid?.(nobody)),
        () => effect,
        () => Effect.sync(() => process.seteuid?.(0))
      )
    : effect

const hasPermissions = process.platform !== "win32"

describe("a real disk", () => {
  it.live("that is full stops the run, and nothing is lost", ({ skip }) =>
    Effect.gen(function* () {
      const folder = yield* tempFolder
      const small = join(folder, "small")
      mkdirSync(small)
      // Without root, the tests of the journal do the same with writes that fail.
      if (!(yield* mountSmall(small))) return skip("cannot mount a small file system")
      const { environment, layer } = makeService({ switches: honoursKeys })
      const input = write(folder, "tokens.ndjson", tokenLines(300))
      // Leaves room for the lock, the header and a few commits.
      const ballast = join(small, "ballast")
      writeFileSync(ballast, Buffer.alloc(48 * 1024))
      const options = { input, folder: small, serviceHonoursKeys: true }
      const error = yield* Effect.flip(Runs.startImport(options).pipe(Effect.provide(layer)))
      if (error._tag !== "JournalError") return assert.fail(error._tag)
      assert.strictEqual(error.code, "ENOSPC")
      assert.match(error.message, /no space left on the disk\. Resume the run when this is fixed/)
      unlinkSync(ballast)
      const { counts } = yield* Runs.resume(small).pipe(Effect.provide(layer))
      assert.strictEqual(counts.succeeded, 300)
      assert.lengthOf(yield* Stream.runCollect(Runs.report(small)), 300)
      assert.isTrue([...tokensBySubscriber(environment).values()].every((tokens) => tokens.length === 1))
    }).pipe(Effect.scoped)
  )

  it.live.skipIf(!hasPermissions)("that may not be read or written is named, and nothing is sent", () =>
    Effect.gen(function* () {
      const folder = yield* tempFolder
      chmodSync(folder, 0o755)
      const { environment, layer } = makeService()
      const failure = (options: Runs.LineRunOptions) =>
        Runs.startImport(options).pipe(Effect.provide(layer), Effect.flip, asNobody)
      const closed = write(folder, "closed.ndjson", tokenLines(3))
      chmodSync(closed, 0o000)
      const open = join(folder, "open")
      mkdirSync(open)
      chmodSync(open, 0o777)
      const unreadable = yield* failure({ input: closed, folder: open })
      assert.deepStrictEqual(
        [unreadable._tag, unreadable.message],
        ["FileError", `cannot read ${closed}: permission denied`]
      )
      const input = write(folder, "tokens.ndjson", tokenLines(3))
      chmodSync(input, 0o644)
      const unwritable = yield* failure({ input })
      assert.deepStrictEqual(
        [unwritable._tag, unwritable.message],
        ["FileError", `cannot create the lock file ${input}.lock.1: permission denied`]
      )
      assert.lengthOf(environment.journal.entries(), 0)
    }).pipe(Effect.scoped)
  )
})
