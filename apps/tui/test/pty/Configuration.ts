import { folderOfTest } from "@signalbox/testing/Folder"
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"

/** A configuration file of a test. */
export interface Configuration {
  /** The environment that makes the program read it, and the API keys that it names. */
  readonly environment: Readonly<Record<string, string>>
  readonly write: (toml: string) => void
}

/** Writes a configuration file into a new folder. */
export const makeConfiguration = (toml: string, keys: Readonly<Record<string, string>>): Configuration => {
  const folder = folderOfTest()
  const file = join(folder, "signalbox", "config.toml")
  mkdirSync(join(folder, "signalbox"))
  writeFileSync(file, toml)
  return {
    environment: { XDG_CONFIG_HOME: folder, ...keys },
    write: (text) => writeFileSync(file, text)
  }
}
