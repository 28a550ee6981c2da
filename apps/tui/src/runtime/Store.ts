import type { Command } from "../state/Command.ts"
import type { Msg } from "../state/Msg.ts"
import type { State } from "../state/State.ts"
import { update } from "../app/Update.ts"

/** Holds the state, applies messages to it one after another, and hands commands on. */
export interface Store {
  readonly get: () => State
  /** Begins with another state; for what happens before anything is shown. */
  readonly replace: (state: State) => void
  readonly dispatch: (message: Msg) => void
  readonly subscribe: (listener: () => void) => () => void
}

/** A store that starts with `initial`. `run` carries a command out; `now` is the clock, in milliseconds since 1970. */
export const makeStore = (initial: State, run: (command: Command) => void, now: () => number): Store => {
  let state = initial
  const listeners = new Set<() => void>()
  return {
    get: () => state,
    replace: (next) => {
      state = next
    },
    dispatch: (message) => {
      const next = update(state, message, now())
      const changed = next.state !== state
      state = next.state
      if (changed) for (const listener of listeners) listener()
      for (const command of next.commands) run(command)
    },
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    }
  }
}
