/**
 * One question that the API document leaves open, as a row of the switch table.
 */

/** Where a switch takes effect: in the pure operations, or in the request pipeline around them. */
export type DecidedIn = "operations" | "pipeline"

/**
 * A named behaviour that the document leaves open, with every value it can take and the value that each preset gives it.
 */
export interface SwitchRow<Values extends ReadonlyArray<string> = ReadonlyArray<string>> {
  /** The open question. */
  readonly question: string
  /** The words of the document that leave it open. */
  readonly sentence: string
  /** Section of the document with that sentence. */
  readonly section: string
  /** Where the switch takes effect. */
  readonly decidedIn: DecidedIn
  /** All values. */
  readonly values: Values
  /** The most cautious reading. */
  readonly document: Values[number]
  /** What a real implementation was observed to do. */
  readonly observed: Values[number]
  /** The reading that breaks the most careless clients. */
  readonly adversarial: Values[number]
}

type Facts<Values extends ReadonlyArray<string>> = Omit<SwitchRow<Values>, "values" | "adversarial"> & {
  readonly adversarial?: Values[number]
}

/** Makes a row; by default the last value is the adversarial one. */
export const row = <const Values extends readonly [string, string, ...ReadonlyArray<string>]>(
  values: Values,
  facts: Facts<Values>
): SwitchRow<Values> => ({ ...facts, values, adversarial: facts.adversarial ?? values[values.length - 1] ?? values[0] })
