const shown = (value: unknown): string => JSON.stringify(value) ?? String(value)

/** The value that an example claims for an expression. */
export const claim = (actual: unknown, said: unknown): void => {
  if (shown(actual) !== shown(said)) throw new Error(`is ${shown(actual)}, said to be ${shown(said)}`)
}
