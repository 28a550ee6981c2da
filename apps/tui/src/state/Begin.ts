import { empty } from "../keyboard/Chord.ts"
import { nothing } from "./Known.ts"
import type { Screen, State } from "./State.ts"

/** The state of a program that has just begun: one screen, and nothing typed, known or under way. */
export const begin = (
  given: Pick<State, "size" | "now" | "settings" | "connection"> & { readonly screen: Screen }
): State => {
  const { connection, now, screen, settings, size } = given
  return {
    size,
    now,
    settings,
    connection,
    screens: [screen],
    left: [],
    overlay: undefined,
    chord: empty,
    typedBefore: new Map(),
    tasks: [],
    notice: undefined,
    known: nothing,
    history: [],
    interval: 0,
    nextId: screen.id + 1
  }
}
