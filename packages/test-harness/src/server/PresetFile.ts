/**
 * Presets in files: named behaviour that a team shares between tests in all languages.
 */
import * as Schema from "effect/Schema"
import { type EnvironmentOptions, environmentFields } from "../environment/EnvironmentOptions.ts"
import { inputReader } from "../input/Input.ts"
import { meantBy } from "@signalbox/core/Nearest"
import * as Switches from "../switches/Switches.ts"
import { jsonIn } from "./JsonFile.ts"

const read = inputReader("preset file", () =>
  Schema.Struct({
    version: Schema.Literal(1),
    extends: environmentFields.preset,
    switches: environmentFields.switches,
    // Why each value was chosen, or why none was; for people who read the file.
    evidence: Schema.optionalKey(Schema.Record(Schema.String, Schema.String))
  })
)

const presetIn = (path: string): Pick<EnvironmentOptions, "preset" | "switches"> => {
  const { extends: preset = "document", switches = {} } = read(jsonIn(path, `--preset ${path}`))
  // The schema has checked the name of the preset and the values of the switches.
  return { preset: preset as Switches.Preset, switches: switches as Partial<Switches.Switches> }
}

/**
 * Reads the value of a `--preset` flag: the name of a preset, or the path of a `.json` preset file.
 *
 * @throws RangeError in one line that names the place and what is expected.
 * @example
 * ```ts
 * import { createFake } from "@signalbox/test-harness"
 * import { readPreset } from "@signalbox/test-harness/server"
 *
 * const fake = createFake({ ...readPreset("observed"), data: "empty" })
 * ```
 */
export const readPreset = (value: string): Pick<EnvironmentOptions, "preset" | "switches"> => {
  if (Switches.isPreset(value)) return { preset: value }
  if (value.endsWith(".json")) return presetIn(value)
  const meant = meantBy(value, Switches.presetNames.split(", "))
  throw new RangeError(`--preset must be one of ${Switches.presetNames}, or a .json file, not "${value}"${meant}`)
}
