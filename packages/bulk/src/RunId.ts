/**
 * Ids of runs.
 */
import * as Effect from "effect/Effect"
import * as Random from "effect/Random"

/** A name that says what the run is and when it was made, and is unique. Names of one kind sort by time. */
export const newRunId = (kind: "import" | "mark" | "export", createdAt: string): Effect.Effect<string> =>
  Effect.map(Random.nextIntBetween(0, 2 ** 20 - 1), (random) => {
    const [second = "", rest = ""] = createdAt.split(".")
    // The milliseconds come first, so that the newest of several runs of one second is known.
    const suffix = Number.parseInt(rest) * 2 ** 20 + random
    return `${kind}-${second.replace(/[-:]/g, "")}Z-${suffix.toString(16).padStart(8, "0")}`
  })
