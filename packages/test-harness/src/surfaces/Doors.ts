/**
 * How surfaces outside of a fake, such as servers, get requests into it.
 */
import type { Admit } from "./Follow.ts"

/** The way into a fake. */
export interface Door {
  readonly admit: Admit
  /** Bytes of a body that are of interest to the environment with this `authorization`. */
  readonly bodyLimit: (authorization: string | undefined) => number
}

const doors = new WeakMap<object, Door>()

/** Notes the way into a fake. */
export const registerDoor = (fake: object, door: Door): void => void doors.set(fake, door)

/**
 * The way into a fake.
 *
 * @throws TypeError for what `createFake` did not make.
 */
export const doorOf = (fake: object): Door => {
  const door = doors.get(fake)
  if (door === undefined) throw new TypeError("listen: the first argument must be a fake, made by createFake()")
  return door
}
