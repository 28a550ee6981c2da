/**
 * The state of an environment with demo data. Its workflows are triggered at past times, so that pending jobs continue on
 * the clock like those of any other event.
 */
import { demoBefore, type DemoOptions, demoTriggers, withReaders } from "../demo/DemoData.ts"
import type { EnvironmentState } from "../state/EnvironmentState.ts"
import { settle } from "../trigger/Settle.ts"
import { triggerChecked } from "../trigger/Trigger.ts"

/** The newest states of few events: tests and checks start with the same one again and again, and a state never changes. */
const made = new Map<string, EnvironmentState>()

/** The state of the demo at a time; the same seed and time give the same state. 80 events unless options differ. */
export const makeDemoState = (given: Pick<DemoOptions, "now"> & Partial<DemoOptions>): EnvironmentState => {
  const { events = 80, now, seed = 1, idSeed = seed } = given
  const key = [events, now, seed, idSeed].join()
  const known = made.get(key)
  if (known !== undefined) return known
  const options = { seed, idSeed, now, events }
  const triggered = demoTriggers(options).reduce(
    (state, { at, input }) => triggerChecked(state, at, input).state,
    demoBefore(options)
  )
  const state = withReaders(settle(triggered, now), options)
  if (events <= 100) made.set(key, state)
  for (const oldest of [...made.keys()].slice(0, -32)) made.delete(oldest)
  return state
}
