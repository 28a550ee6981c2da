/**
 * Remembers the last result for an object, while the values behind it are the same: every frame shows what thousands of
 * events have in common.
 */
export const remembered = <Key extends object, About extends ReadonlyArray<unknown>, Value>(
  make: (key: Key, ...about: About) => Value
): ((key: Key, ...about: About) => Value) => {
  const known = new WeakMap<Key, { readonly about: About; readonly value: Value }>()
  return (key, ...about) => {
    const last = known.get(key)
    if (last?.about.every((part, at) => part === about[at]) === true) return last.value
    const value = make(key, ...about)
    known.set(key, { about, value })
    return value
  }
}
