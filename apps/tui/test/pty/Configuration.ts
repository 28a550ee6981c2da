import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

/** A configuration file, for as long as a test runs. */
export interface Configuration extends Disposable {
  /** What makes the program read it, and the API keys that it names. */
  readonly environment: Readonly<Record<string, string>>
  readonly write: (toml: string) => void
}

/** Writes a configuration file into a new folder. */
export const makeConfiguration = (toml: string, keys: Readonly<Record<string, string>>): Configuration => {
  const folder = mkdtempSync(join(tmpdir(), "signalbox-test-"))
  const file = join(folder, "signalbox", "config.toml")
  mkdirSync(join(folder, "signalbox"))
  writeFileSync(file, toml)
  return {
    environment: { XDG_CONFIG_HOME: folder, ...keys },
    write: (text) => writeFileSync(file, text),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true })
  }
}
