/**
 * How surfaces outside of a fake, such as a server, send requests to it.
 */
import type { Admit } from "./Follow.ts"

/** Whether an entry point is for the environment with an API key. */
export type Serves = (apiKey: string) => boolean

export interface EntryPoint {
  readonly admit: Admit
  /** The most bytes of a body that are read for the environment with this `authorization`. */
  readonly bodyLimit: (authorization: string | undefined) => number
  /** The base URLs of the servers that serve the fake now. */
  readonly servers: Set<string>
  /** The same entry point for some environments: only their switches decide about requests whose key belongs to none. */
  readonly of: (serves: Serves) => EntryPoint
}

// A global symbol, because a bundle can contain this module more than once.
const symbol = Symbol.for("@signalbox/test-harness/entryPoint")

export const registerEntryPoint = (fake: object, entryPoint: EntryPoint): void =>
  void Object.defineProperty(fake, symbol, { value: entryPoint })

/**
 * The entry point of a fake.
 *
 * @throws TypeError for any value that `createFake` did not return.
 */
export const entryPointOf = (fake: object): EntryPoint => {
  // Only registerEntryPoint writes this property.
  const entryPoint = (fake as { readonly [symbol]?: EntryPoint })[symbol]
  if (entryPoint === undefined) throw new TypeError("the first argument must be a fake, made by createFake()")
  return entryPoint
}
