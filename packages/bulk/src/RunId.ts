/**
 * Ids of runs.
 */
import * as Effect from "effect/Effect"
import * as Random from "effect/Random"

/** A name that says what the run is and when it was made, and is unique. */
export const newRunId = (kind: "import" | "mark" | "export", createdAt: string): Effect.Effect<string> =>
  Effect.map(Random.nextIntBetween(0, 2 ** 32, { halfOpen: true }), (random) => {
    const time = createdAt.replace(/[-:]|\.\d+/g, "")
    return `${kind}-${time}-${random.toString(16).padStart(8, "0")}`
  })
