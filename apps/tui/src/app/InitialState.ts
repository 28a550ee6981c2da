import { empty } from "../keyboard/Chord.ts"
import { noFacts } from "../state/Facts.ts"
import type { Screen, State } from "../state/State.ts"

/** The state at the start: one screen; nothing typed, read or running. */
export const makeInitialState = (
  given: Pick<State, "size" | "now" | "settings" | "connection"> & { readonly screen: Screen }
): State => {
  const { connection, now, screen, settings, size } = given
  return {
    size,
    now,
    settings,
    connection,
    screens: [screen],
    drafts: [],
    fix: undefined,
    fileRun: undefined,
    copied: undefined,
    overlay: undefined,
    chord: empty,
    typedBefore: new Map(),
    tasks: [],
    notice: undefined,
    facts: noFacts,
    requests: [],
    recording: undefined,
    history: [],
    interval: 0,
    nextId: screen.id + 1
  }
}
