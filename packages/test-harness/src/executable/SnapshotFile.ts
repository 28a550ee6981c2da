/**
 * A file with all environments of a fake: read when the server starts, and written when it stops.
 */
import { existsSync, renameSync, rmSync, writeFileSync } from "node:fs"
import * as Schema from "effect/Schema"
import { isManualClock } from "../clock/ManualClock.ts"
import type { Environment } from "../environment/Environment.ts"
import type { EnvironmentOptions } from "../environment/EnvironmentOptions.ts"
import { type Fake, makeFake, type SavedEnvironment } from "../environment/Fake.ts"
import { inputReader, integer } from "../input/Input.ts"
import { jsonIn } from "../server/JsonFile.ts"
import { SnapshotSchema } from "../state/Snapshot.ts"

const saved = Schema.Struct({
  apiKey: Schema.String,
  number: integer(1),
  clock: Schema.optionalKey(Schema.String),
  snapshot: SnapshotSchema
})

const read = inputReader("snapshot file", () =>
  Schema.Struct({ version: Schema.Literal(1), environments: Schema.NonEmptyArray(saved) })
)

/** Node's reason, without the path: `no space left on device (ENOSPC)`. */
const reasonOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).replace(/^(\w+): ([^,]+).*/u, "$2 ($1)")

/** Writes a temporary file and lets it take the place of another one; removes it where that fails. */
const replaceFile = (path: string, text: string, replace: (temporary: string) => void): void => {
  const temporary = `${path}.${process.pid}.tmp`
  try {
    writeFileSync(temporary, text, { flush: true })
    replace(temporary)
  } catch (error) {
    throw new RangeError(`--snapshot ${path}: cannot be written: ${reasonOf(error)}`)
  } finally {
    rmSync(temporary, { force: true })
  }
}

/**
 * Makes a fake with the environments of a file, or a new one if the file does not exist.
 *
 * @throws RangeError for a file that {@link writeSnapshotFile} did not write, or cannot write.
 */
export const fakeFromFile = (path: string, options: EnvironmentOptions): Fake => {
  const saved = existsSync(path) ? read(jsonIn(path, `--snapshot ${path}`)).environments : []
  // Otherwise the state would be lost when the server stops.
  replaceFile(path, "", () => {})
  return makeFake(options, saved)
}

const savedOf = ({ apiKey, clock, now, number, snapshot }: Environment): SavedEnvironment => ({
  apiKey,
  number,
  ...(isManualClock(clock()) ? { clock: new Date(now()).toISOString() } : {}),
  snapshot: snapshot()
})

/** Writes all environments of a fake; a file that is there stays complete if this fails. */
export const writeSnapshotFile = (path: string, fake: Fake): void => {
  const text = JSON.stringify({ version: 1, environments: fake.environments().map(savedOf) })
  replaceFile(path, text, (temporary) => renameSync(temporary, path))
}
