const shown = (value: unknown): string => JSON.stringify(value) ?? String(value)

/** What an example says that an expression is. */
export const claim = (actual: unknown, said: unknown): void => {
  if (shown(actual) !== shown(said)) throw new Error(`is ${shown(actual)}, said to be ${shown(said)}`)
}
