/**
 * How surfaces outside of a fake, such as servers, get requests into it.
 */
import type { Admit } from "./Follow.ts"

/** The way into a fake. */
export interface EntryPoint {
  readonly admit: Admit
  /** Bytes of a body that are of interest to the environment with this `authorization`. */
  readonly bodyLimit: (authorization: string | undefined) => number
}

const entryPoints = new WeakMap<object, EntryPoint>()

/** Notes the way into a fake. */
export const registerEntryPoint = (fake: object, entryPoint: EntryPoint): void => void entryPoints.set(fake, entryPoint)

/**
 * The way into a fake.
 *
 * @throws TypeError for what `createFake` did not make.
 */
export const entryPointOf = (fake: object): EntryPoint => {
  const entryPoint = entryPoints.get(fake)
  if (entryPoint === undefined) throw new TypeError("listen: the first argument must be a fake, made by createFake()")
  return entryPoint
}
