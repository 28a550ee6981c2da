/**
 * A file with all environments of a fake: read when the server starts, and written when it stops.
 */
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs"
import * as Schema from "effect/Schema"
import { isManualClock } from "../clock/ManualClock.ts"
import type { Environment } from "../Environment.ts"
import type { EnvironmentOptions } from "../EnvironmentOptions.ts"
import { type Fake, makeFake, type SavedEnvironment } from "../Fake.ts"
import { inputReader, integer } from "../Input.ts"
import { SnapshotSchema } from "../state/Snapshot.ts"

const saved = Schema.Struct({
  apiKey: Schema.String,
  number: integer(1),
  clock: Schema.optionalKey(Schema.String),
  snapshot: SnapshotSchema
})

const read = inputReader(
  "snapshot file",
  Schema.Struct({ version: Schema.Literal(1), environments: Schema.NonEmptyArray(saved) })
)

const parse = (path: string): ReadonlyArray<SavedEnvironment> => {
  let json: unknown
  try {
    json = JSON.parse(readFileSync(path, "utf8"))
  } catch (error) {
    throw new RangeError(`--snapshot ${path}: ${error instanceof SyntaxError ? "is not valid JSON" : "cannot be read"}`)
  }
  return read(json).environments
}

/**
 * Makes a fake with the environments of a file, or a new one if the file does not exist.
 *
 * @throws RangeError for a file that {@link writeSnapshotFile} did not write.
 */
export const fakeFromFile = (path: string, options: EnvironmentOptions): Fake =>
  makeFake(options, existsSync(path) ? parse(path) : [])

const savedOf = ({ apiKey, clock, now, number, snapshot }: Environment): SavedEnvironment => ({
  apiKey,
  number,
  ...(isManualClock(clock()) ? { clock: new Date(now()).toISOString() } : {}),
  snapshot: snapshot()
})

/** Writes all environments of a fake; a file that is there stays complete if this fails. */
export const writeSnapshotFile = (path: string, fake: Fake): void => {
  const temporary = `${path}.${process.pid}.tmp`
  writeFileSync(temporary, JSON.stringify({ version: 1, environments: fake.environments().map(savedOf) }))
  renameSync(temporary, path)
}
