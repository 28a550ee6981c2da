/**
 * A function that computes its result once for each object: records are immutable, lists are long, and every frame asks
 * again. Results that are made in another way can be put into `known`.
 *
 * @example
 * ```ts
 * const widest = oncePer((lines: ReadonlyArray<string>) => Math.max(...lines.map(({ length }) => length)))
 * ```
 */
export const oncePer =
  <Key extends object, Value>(make: (key: Key) => Value, known = new WeakMap<Key, Value>()): ((key: Key) => Value) =>
  (key) => {
    const before = known.get(key)
    if (before !== undefined) return before
    const value = make(key)
    known.set(key, value)
    return value
  }
