/**
 * A preset in a file: named behaviour that a team shares between tests in all languages.
 */
import * as Schema from "effect/Schema"
import { environmentFields } from "../EnvironmentOptions.ts"
import { inputReader } from "../Input.ts"
import type * as Switches from "../switches/Switches.ts"

/** What a preset file sets. */
export interface PresetFile {
  readonly preset: Switches.Preset
  readonly switches: Partial<Switches.Switches>
}

const read = inputReader(
  "preset file",
  Schema.Struct({
    version: Schema.Literal(1),
    extends: environmentFields.preset,
    switches: environmentFields.switches
  })
)

/**
 * Reads the text of a preset file.
 *
 * @throws RangeError in one line that names the place and what is expected.
 */
export const readPresetFile = (text: string): PresetFile => {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    throw new RangeError("preset file: is not valid JSON")
  }
  const { extends: preset = "document", switches = {} } = read(json)
  // The schema has checked the name of the preset and the values of the switches.
  return { preset: preset as Switches.Preset, switches: switches as Partial<Switches.Switches> }
}
