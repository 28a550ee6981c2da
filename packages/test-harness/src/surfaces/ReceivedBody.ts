/**
 * A body as it arrives at a client of the Layer.
 */
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { type Begun, sendBody } from "./BodyDelivery.ts"
import { joinedBytes } from "../wire/WireBody.ts"
import { terminated } from "./ConnectionError.ts"
import type { Admitted } from "./Follow.ts"

export interface ReceivedBody {
  /** The complete body, once it has arrived. */
  readonly whole: Effect.Effect<Uint8Array<ArrayBuffer>, TypeError>
  readonly stream: Stream.Stream<Uint8Array, TypeError>
}

/** Receives a delivery; a client that stops reading or aborts the signal has disconnected. */
export const receiveBody = (delivery: Begun, { clock, exchange }: Admitted, signal: AbortSignal): ReceivedBody => {
  const pieces: Array<Uint8Array> = []
  let over: "whole" | TypeError | undefined
  const waiting = new Set<() => void>()
  const wake = () => {
    const woken = [...waiting]
    waiting.clear()
    for (const awake of woken) awake()
  }
  const leave = () => {
    stop()
    exchange.abandoned()
  }
  const conclude = (how: "whole" | TypeError) => {
    over = how
    signal.removeEventListener("abort", leave)
    wake()
  }
  signal.addEventListener("abort", leave, { once: true })
  const stop = sendBody(delivery, clock, {
    piece: (bytes) => {
      pieces.push(bytes)
      wake()
    },
    end: () => {
      exchange.answered()
      conclude("whole")
    },
    broken: (failure) => {
      if (failure !== "hang") conclude(terminated(failure))
    }
  })

  const news = Effect.callback<void>((resume) => {
    const awake = () => resume(Effect.void)
    waiting.add(awake)
    return Effect.sync(() => {
      waiting.delete(awake)
      leave()
    })
  })
  const whole: ReceivedBody["whole"] = Effect.suspend(() => {
    if (over === undefined) return Effect.flatMap(news, () => whole)
    return over === "whole" ? Effect.succeed(joinedBytes(pieces)) : Effect.fail(over)
  })
  const pieceFrom = (at: number): Effect.Effect<readonly [Uint8Array, number] | undefined, TypeError> =>
    Effect.suspend(() => {
      const piece = pieces[at]
      if (piece !== undefined) return Effect.succeed([piece, at + 1] as const)
      if (over === undefined) return Effect.flatMap(news, () => pieceFrom(at))
      return over === "whole" ? Effect.undefined : Effect.fail(over)
    })
  return { whole, stream: Stream.unfold(0, pieceFrom) }
}
