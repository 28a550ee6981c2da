/**
 * The rule for all named options: a name that means nothing is refused, because nobody would see that it was ignored.
 */

/**
 * Refuses options of other names than these; the place, such as `fault.`, is written before the name.
 *
 * @throws RangeError in one line that names the option and what is allowed.
 */
export const checkNames = (place: string, given: object, allowed: ReadonlyArray<string>): void => {
  const unknown = Object.keys(given).find((name) => !allowed.includes(name))
  if (unknown === undefined) return
  const rule = allowed.length === 0 ? "there is none" : `allowed are ${allowed.join(", ")}`
  throw new RangeError(`${place}${unknown}: is no option; ${rule}`)
}
