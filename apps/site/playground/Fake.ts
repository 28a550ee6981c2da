/**
 * `@signalbox/test-harness` as examples see it: the page knows every fake that they make, and arms the chosen fault in it.
 */
import * as harness from "@signalbox/test-harness"
import { armedFaults } from "./ArmedFaults.ts"
import type { FaultLabel } from "./Faults.ts"

export * from "@signalbox/test-harness"

/** The fakes of this program, first made first. */
export const fakes: Array<harness.Fake> = []

let armed: FaultLabel | undefined

/** Chooses the fault for fakes that are made from now on, by its label. */
export const arm = (label: FaultLabel | undefined): void => {
  armed = label
}

/** Makes a fake, as `createFake` of `@signalbox/test-harness` does. */
export const createFake: typeof harness.createFake = (options) => {
  const fake = harness.createFake(options)
  if (armed !== undefined) fake.faults.add(armedFaults[armed]())
  fakes.push(fake)
  return fake
}
