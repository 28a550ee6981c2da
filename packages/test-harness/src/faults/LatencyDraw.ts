/**
 * How long a request is held up, by chance.
 */
import type { Stream } from "../state/Random.ts"
import type { Latency } from "./Fault.ts"

/** A number from the normal distribution with mean 0 and deviation 1 (Box and Muller). */
const normal = (random: Stream): number => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())

/** Milliseconds of a latency. */
export const drawLatency = (latency: Latency, random: Stream): number => {
  switch (latency.distribution) {
    case "fixed":
      return latency.millis
    case "uniform":
      return latency.from + random() * (latency.to - latency.from)
    case "lognormal": {
      const drawn = latency.median * Math.exp(latency.sigma * normal(random))
      // Nothing, as often as one likes, is nothing.
      return Math.min(Number.isNaN(drawn) ? 0 : drawn, latency.most ?? Infinity)
    }
  }
}
