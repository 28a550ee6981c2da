/**
 * `@signalbox/test-harness` as examples see it: the page knows every fake that they make, and arms the chosen fault in it.
 */
import * as harness from "@signalbox/test-harness"

export * from "@signalbox/test-harness"

/** The fakes of this program, first made first. */
export const fakes: Array<harness.Fake> = []

let armed: harness.Fault.Fault | undefined

/** Sets the fault of fakes that are made from now on. */
export const arm = (fault: harness.Fault.Fault | undefined): void => {
  armed = fault
}

/** Makes a fake, as `createFake` of `@signalbox/test-harness` does. */
export const createFake: typeof harness.createFake = (options) => {
  const fake = harness.createFake(options)
  if (armed !== undefined) fake.faults.add(armed)
  fakes.push(fake)
  return fake
}
