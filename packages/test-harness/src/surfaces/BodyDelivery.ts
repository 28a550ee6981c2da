/**
 * Delivers the body of a response to the client, on any surface.
 */
import type { FakeClock } from "../clock/FakeClock.ts"
import type { Delivery, ConnectionFailure } from "../wire/Delivery.ts"
import { bytesOf } from "../wire/WireBody.ts"

export type Begun = Exclude<Delivery, { readonly _tag: "NoResponse" }>

export interface BodySink {
  readonly piece: (bytes: Uint8Array) => void
  /** The body is complete. */
  readonly end: () => void
  /** The body breaks off. */
  readonly broken: (failure: ConnectionFailure) => void
}

const slowly = (
  bytes: Uint8Array,
  { bytes: size, everyMs }: Extract<Begun, { readonly _tag: "Slow" }>,
  clock: FakeClock,
  sink: BodySink
): (() => void) => {
  let sent = 0
  let cancel = () => {}
  /** Sends the next piece; false if it was the last one. */
  const send = (): boolean => {
    sink.piece(bytes.subarray(sent, sent + size))
    sent += size
    if (sent < bytes.length) return true
    sink.end()
    return false
  }
  // Clocks may call back at once, and recursion over all pieces of a body would overflow the stack.
  const wait = (): void => {
    let isMore = true
    while (isMore) {
      let isAtOnce = true
      isMore = false
      cancel = clock.schedule(everyMs, () => {
        if (isAtOnce) isMore = send()
        else if (send()) wait()
      })
      isAtOnce = false
    }
  }
  wait()
  return () => cancel()
}

/** Sends a body to a sink, by the clock if it is slow; returns a function that stops it. */
export const sendBody = (delivery: Begun, clock: FakeClock, sink: BodySink): (() => void) => {
  const bytes = bytesOf(delivery.response.body)
  switch (delivery._tag) {
    case "Slow":
      return slowly(bytes, delivery, clock, sink)
    case "Cut":
      if (delivery.afterBytes > 0) sink.piece(bytes.subarray(0, delivery.afterBytes))
      sink.broken(delivery.failure)
      return () => {}
    case "Whole":
      if (bytes.length > 0) sink.piece(bytes)
      sink.end()
      return () => {}
  }
}
