/** A record that has no key without a value. */
export type Defined<T> = {
  readonly [K in keyof T as undefined extends T[K] ? never : K]: T[K]
} & {
  readonly [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>
}

/** A copy without the keys whose value is `undefined`: in plain data they are absent. */
export const defined = <T extends object>(value: T): Defined<T> => {
  const copy: Partial<T> = {}
  for (const key in value) if (value[key] !== undefined) copy[key] = value[key]
  // The loop drops keys without a value, as the type says; the compiler cannot check that.
  return copy as never
}
