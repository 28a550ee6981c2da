/**
 * One question that the API document leaves open, as a row of the switch table.
 */

/** The version of the service whose recorded answers the preset `observed` has. */
export const observedVersion = "3.15.0"

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

/**
 * Makes the rows about one sentence of the document, each from its question, its values and the observed one; by default the
 * first value is the document's and the last one the adversarial one.
 */
export const rowsAbout =
  (section: string, sentence: string) =>
  <const Values extends readonly [string, string, ...ReadonlyArray<string>]>(
    question: string,
    values: Values,
    observed: Values[number],
    others: Partial<Pick<SwitchRow<Values>, "document" | "adversarial" | "observedBefore">> = {}
  ): SwitchRow<Values> => {
    const [document] = values
    return {
      section,
      sentence,
      question,
      values,
      document,
      observed,
      adversarial: values.at(-1) ?? document,
      ...others
    }
  }
