/**
 * One question that the API document leaves open, as a row of the switch table.
 */

/** The version of the service whose recorded answers the preset `observed` has. */
export const observedVersion = "3.15.0"

/** Where a switch takes effect: in the pure operations, or in the request pipeline around them. */
export type DecidedIn = "operations" | "pipeline"

/**
 * A named behaviour that the document leaves open, with its possible values and its value in each preset.
 */
export interface SwitchRow<Values extends ReadonlyArray<string> = ReadonlyArray<string>> {
  /** The open question. */
  readonly question: string
  /** The sentence of the document that leaves it open. */
  readonly sentence: string
  /** The section that contains the sentence. */
  readonly section: string
  /** Where the switch takes effect. */
  readonly decidedIn: DecidedIn
  /** All values. */
  readonly values: Values
  /** The most cautious reading. */
  readonly document: Values[number]
  /** The observed behaviour of a real implementation, in {@link observedVersion}. */
  readonly observed: Values[number]
  /** The behaviour before a date on which it changed. */
  readonly observedBefore?: { readonly date: string; readonly value: Values[number] }
  /** The reading most likely to break careless clients. */
  readonly adversarial: Values[number]
}

type Presets = "document" | "adversarial"

type Facts<Values extends ReadonlyArray<string>> = Omit<SwitchRow<Values>, "values" | Presets> &
  Partial<Pick<SwitchRow<Values>, Presets>>

/** Makes a row; by default the first value is the document's and the last one the adversarial one. */
export const row = <const Values extends readonly [string, string, ...ReadonlyArray<string>]>(
  values: Values,
  facts: Facts<Values>
): SwitchRow<Values> => ({ document: values[0], adversarial: values.at(-1) ?? values[0], ...facts, values })
