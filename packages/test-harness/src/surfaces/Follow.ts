/**
 * Taking a request through its steps.
 */
import type { Cancel, FakeClock } from "../clock/FakeClock.ts"
import type { Delivery } from "../request/Delivery.ts"
import type { FakeRequest } from "../request/FakeRequest.ts"
import type { Exchange, Step } from "../request/Step.ts"

/** A request that was let in, with the clock of its environment. */
export interface Admitted {
  readonly exchange: Exchange
  readonly clock: FakeClock
}

/** Lets a request in, on the clock of who sends it where that one brings its own. */
export type Admit = (request: FakeRequest, callersClock?: FakeClock) => Admitted

/**
 * Takes the steps of a request until there is something to deliver: at once where nothing holds it up. Gives what is to
 * be called when the client leaves before that. What was begun goes on then, as in a real service, but no process waits
 * for it.
 */
export const follow = ({ clock, exchange }: Admitted, deliver: (delivery: Delivery) => void): (() => void) => {
  let hasLeft = false
  let release = () => {}
  const take = (step: Step): void => {
    if (step._tag === "Deliver") return deliver(step.delivery)
    let cancel: Cancel | undefined
    let isOver = false
    const goOn = () => {
      isOver = true
      stop()
      cancel?.()
      take(step.next())
    }
    const stop = step.subscribe(goOn)
    cancel = clock.schedule(step.millis, goOn)
    // Clocks may call back at once where there is nothing to wait for.
    if (isOver) return
    release = () => cancel?.release?.()
    if (hasLeft) release()
  }
  take(exchange.first)
  return () => {
    hasLeft = true
    release()
    exchange.abandoned()
  }
}
