/**
 * A rule that a scenario broke.
 */

/** A rule that a scenario broke, in words. */
export interface Finding {
  /** Number of the call; `undefined` for the scenario as a whole. */
  readonly call: number | undefined
  readonly message: string
}

/** A finding about one call. */
export const callFinding = ({ number }: { readonly number: number }, message: string): Finding => ({
  call: number,
  message
})

/** A finding about the scenario as a whole. */
export const scenarioFinding = (message: string): Finding => ({ call: undefined, message })

/** The message of a rule, unless the rule is kept. */
export const unless = (isKept: boolean, message: string): ReadonlyArray<string> => (isKept ? [] : [message])
