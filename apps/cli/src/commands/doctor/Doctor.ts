import * as Effect from "effect/Effect"
import * as Command from "effect/cli/Command"
import { connectionFlag } from "../../connection/ConnectionFlags.ts"
import { outputFlags } from "../../output/OutputFlags.ts"

/** Checks a live deployment without changing it. */
export const doctor = Command.make("doctor", { ...connectionFlag, ...outputFlags }, (input) =>
  Effect.flatMap(
    Effect.promise(() => import("./Examine.ts")),
    ({ examine }) => examine(input)
  )
).pipe(
  Command.withDescription(
    "Check a deployment without changing it: address, TLS, proxy, key, clock, rate limit, envelope, paging, drift and latency. Exits with the code of the worst result."
  ),
  Command.withShortDescription("Check a deployment without changing it."),
  Command.withExamples([
    { command: "signalbox doctor --connection demo" },
    { command: "signalbox doctor --json | head -3", description: "For scripts" }
  ])
)
