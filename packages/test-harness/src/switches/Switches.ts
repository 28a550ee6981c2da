import * as Schema from "effect/Schema"
import { inputReader, mustBeOneOf } from "../input/Input.ts"
import { expectedOneOf } from "@signalbox/core/Nearest"
import * as Random from "../random/Random.ts"
import { credentialsSwitches } from "./CredentialsSwitches.ts"
import { errorSwitches } from "./ErrorSwitches.ts"
import { listSwitches } from "./ListSwitches.ts"
import { markSwitches } from "./MarkSwitches.ts"
import { recordSwitches } from "./RecordSwitches.ts"
import { requestSwitches } from "./RequestSwitches.ts"
import type { SwitchRow } from "./SwitchRow.ts"

/**
 * The switch table: one row for each question that the API document leaves open.
 *
 * @example
 * ```ts
 * switchTable["mark.order"].values // => ["created", "request", "shuffled"]
 * ```
 */
export const switchTable = {
  ...requestSwitches,
  ...errorSwitches,
  ...credentialsSwitches,
  ...markSwitches,
  ...listSwitches,
  ...recordSwitches
} as const

type Table = typeof switchTable

export type SwitchName = keyof Table

/** A value for every switch. */
export type Switches = { readonly [Name in SwitchName]: Table[Name]["values"][number] }

/** Names of all switches, in the order of the table. */
export const switchNames: ReadonlyArray<SwitchName> = Object.keys(switchTable) as Array<SwitchName> // keys of a literal

/** One row, without its literal types. */
export const switchRow = (name: SwitchName): SwitchRow => switchTable[name]

// The callback gives each row one of the values of its switch, which a mapped type cannot express.
const fill = (valueOf: (row: SwitchRow, name: SwitchName) => string): Switches =>
  Object.freeze(Object.fromEntries(switchNames.map((name) => [name, valueOf(switchRow(name), name)]))) as Switches

/** The most cautious reading of the document; the default. */
export const document: Switches = fill((row) => row.document)

/** The observed behaviour of a real implementation. */
export const observed: Switches = fill((row) => row.observed)

/** The reading most likely to break careless clients; it never contradicts the document. */
export const adversarial: Switches = fill((row) => row.adversarial)

/** Random values for all switches; the same seed gives the same values. */
export const seeded = (seed: number): Switches =>
  fill((row, name) => row.values[Random.hash(seed, name) % row.values.length] ?? row.document)

/** A preset by name. */
export type Preset = "document" | "observed" | "adversarial" | `seeded(${number})`

export { presetNames } from "./PresetNames.ts"

const seedOf = (name: string): string | undefined => /^seeded\((\d{1,15})\)$/u.exec(name)?.[1]

export const isPreset = (name: string): name is Preset =>
  name === "document" || name === "observed" || name === "adversarial" || seedOf(name) !== undefined

export const preset = (name: Preset): Switches => {
  switch (name) {
    case "document":
      return document
    case "observed":
      return observed
    case "adversarial":
      return adversarial
    default:
      return seeded(Number(seedOf(name)))
  }
}

/** The options that give some values: the nearest preset, unless it is the default one, and what differs from it. */
export const nearestOptions = (
  values: Switches
): { readonly preset?: Preset; readonly switches: Partial<Switches> } => {
  const [nearest = { switches: values }] = (["document", "observed", "adversarial"] as const)
    .map((name) => {
      const known = preset(name)
      const others = switchNames.filter((each) => values[each] !== known[each])
      // Names and values of a full set.
      const switches = Object.fromEntries(others.map((each) => [each, values[each]])) as Partial<Switches>
      return { count: others.length, options: name === "document" ? { switches } : { preset: name, switches } }
    })
    .toSorted((one, other) => one.count - other.count)
    .map(({ options }) => options)
  return nearest
}

export interface SwitchIssue {
  readonly path: ReadonlyArray<string>
  readonly issue: string
}

const groupOf = (name: string): string => name.split(".", 1)[0] ?? ""

/** Names the switches of the same group: all of them are too many for one line. */
const unknownSwitch = (name: string): string => {
  const group = switchNames.filter((other) => groupOf(other) === groupOf(name)).join(", ")
  const groups = [...new Set(switchNames.map(groupOf))].join(", ")
  return `unknown switch; ${expectedOneOf(name, switchNames, group === "" ? `a name in one of: ${groups}` : `one of: ${group}`)}`
}

/** The problems with a set of values; empty if all names and values are valid. */
export const issues = (values: { readonly [name: string]: unknown }): ReadonlyArray<SwitchIssue> =>
  Object.entries(values).flatMap(([name, value]) => {
    if (!Object.hasOwn(switchTable, name)) return [{ path: [name], issue: unknownSwitch(name) }]
    const { values: allowed } = switchTable[name as SwitchName] as SwitchRow // own key of the table, checked above
    if (typeof value === "string" && allowed.includes(value)) return []
    const isQuoted = typeof value === "string" || !allowed.includes(String(value))
    return [{ path: [name], issue: isQuoted ? mustBeOneOf(allowed, value) : `must be the string "${String(value)}"` }]
  })

/** The schema of values for some switches. @internal */
export const SwitchesSchema = Schema.Record(Schema.String, Schema.Unknown).check(
  Schema.makeFilter((values: Readonly<Record<string, unknown>>) => issues(values)[0])
)

const read = inputReader("switches", () => SwitchesSchema)

/**
 * Reads values for some switches.
 *
 * @throws RangeError for an unknown switch or value.
 */
export const readSwitches = (values: unknown): Partial<Switches> => read(values) as Partial<Switches> // checked by the schema
