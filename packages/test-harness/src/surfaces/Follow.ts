import { afterTurns, type Cancel, type FakeClock } from "../clock/FakeClock.ts"
import type { Delivery } from "../wire/Delivery.ts"
import type { FakeRequest } from "../wire/FakeRequest.ts"
import type { Exchange, Step } from "../request/Step.ts"

/** An accepted request, with the clock of its environment. */
export interface Admitted {
  readonly exchange: Exchange
  readonly clock: FakeClock
}

export type Admit = (request: FakeRequest, callersClock?: FakeClock) => Admitted

/**
 * Runs the steps of a request until there is something to deliver, which is at once unless something delays it. Returns a
 * function to call when the client disconnects before that: the request continues, as in a real service, but does not
 * keep the process running.
 */
export const follow = ({ clock, exchange }: Admitted, deliver: (delivery: Delivery) => void): (() => void) => {
  let hasLeft = false
  let release = () => {}
  const take = (step: Step): void => {
    if (step._tag === "Deliver") return deliver(step.delivery)
    let cancel: Cancel | undefined
    let isOver = false
    const proceed = () => {
      isOver = true
      stop()
      cancel?.()
      stopTurns?.()
      take(step.next())
    }
    const stop = step.subscribe(proceed)
    const stopTurns = step.isBrief === true && clock.isStopped === true ? afterTurns(proceed) : undefined
    cancel = clock.schedule(step.millis, proceed)
    // Clocks may call back at once.
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
