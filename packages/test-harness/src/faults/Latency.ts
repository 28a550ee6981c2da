import * as Schema from "effect/Schema"
import { Milliseconds } from "../input/Input.ts"
import type { Stream } from "../random/Random.ts"

/** How long a request is delayed, in milliseconds. */
export type Latency =
  | { readonly distribution: "fixed"; readonly delayMs: number }
  | { readonly distribution: "uniform"; readonly fromMs: number; readonly toMs: number }
  | { readonly distribution: "lognormal"; readonly medianMs: number; readonly sigma: number; readonly maxMs?: number }

/** The codec of a latency. @internal */
export const LatencySchema: Schema.Codec<Latency> = Schema.Union([
  Schema.Struct({ distribution: Schema.Literal("fixed"), delayMs: Milliseconds }),
  Schema.Struct({ distribution: Schema.Literal("uniform"), fromMs: Milliseconds, toMs: Milliseconds }).check(
    Schema.makeFilter(({ fromMs, toMs }) => fromMs <= toMs, { expected: "an interval where fromMs is at most toMs" })
  ),
  Schema.Struct({
    distribution: Schema.Literal("lognormal"),
    medianMs: Milliseconds,
    sigma: Schema.Finite.check(Schema.isGreaterThanOrEqualTo(0, { expected: "a number, 0 or more" })),
    maxMs: Schema.optionalKey(Milliseconds)
  })
]).annotate({ expected: "an object whose distribution is fixed, uniform or lognormal" })

/** A latency for the journal, such as `latency of 200 ms`. */
export const describeLatency = (latency: Latency): string => {
  switch (latency.distribution) {
    case "fixed":
      return `latency of ${latency.delayMs} ms`
    case "uniform":
      return `latency of ${latency.fromMs} to ${latency.toMs} ms`
    case "lognormal":
      return `latency of about ${latency.medianMs} ms`
  }
}

/** A number from the normal distribution with mean 0 and deviation 1 (Box and Muller). */
const normal = (random: Stream): number => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())

export const drawLatency = (latency: Latency, random: Stream): number => {
  switch (latency.distribution) {
    case "fixed":
      return latency.delayMs
    case "uniform":
      return latency.fromMs + random() * (latency.toMs - latency.fromMs)
    case "lognormal": {
      const drawn = latency.medianMs * Math.exp(latency.sigma * normal(random))
      // 0 * Infinity: a median of 0 with an extreme draw is no delay.
      return Math.min(Number.isNaN(drawn) ? 0 : drawn, latency.maxMs ?? Infinity)
    }
  }
}
