/**
 * Checks a key that a user chose.
 *
 * @throws RangeError, naming the option, for a key that a header cannot have. The key is not quoted: it may be a real one.
 */
export const checkedKey = (option: string, key: unknown): string => {
  if (typeof key === "string" && /^[!-~]+$/u.test(key)) return key
  throw new RangeError(`${option} must be a string of printable ASCII characters without spaces`)
}

/** A key that another program cannot guess. */
export const randomKey = (): string => `fake-key-${crypto.randomUUID()}`

/** Makes the keys of the environments of a fake: with a given first key, the others cannot be guessed. */
export const makeKeys = (first: string | undefined): ((number: number, seed: number) => string) => {
  if (first === undefined) return (number, seed) => `fake-key-${number}-${seed}`
  const key = checkedKey("createFake.apiKey:", first)
  return (number) => (number === 1 ? key : randomKey())
}
