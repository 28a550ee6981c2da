import { alertKinds } from "@signalbox/operator/window/Watch"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { connectionFlag } from "../../connection/ConnectionFlags.ts"
import { durationMs, filterArgument, oneOf, switchFlag } from "../../flags/Flags.ts"
import { outputFlags } from "../../output/OutputFlags.ts"
import { handledBy } from "../HandledBy.ts"

const watchFlags = {
  filter: filterArgument("Conditions as key:value, for example channel:chat; all must match."),
  exitOn: oneOf("exit-on", ["any", ...alertKinds]).pipe(
    Flag.optional,
    Flag.withDescription("Exit with 1 at the first alert of this kind, or of any kind.")
  ),
  for: durationMs("for").pipe(
    Flag.optional,
    Flag.withDescription(
      "Stop after this time, such as 10m, and exit with 0, or with the code of the last read if that failed; without it, watch until ctrl-c."
    )
  ),
  notify: switchFlag(
    "notify",
    "Also notify through the terminal (OSC 9 and 777) and ring its bell, for a new or doubled cause."
  ),
  ...connectionFlag,
  ...outputFlags
}

/** The input of `watch`. */
export type WatchInput = Command.Command.Config.Infer<typeof watchFlags>

/** Follows events and prints news about causes. */
export const watch = Command.make(
  "watch",
  watchFlags,
  handledBy(() => import("./WatchCauses.ts"), "watchCauses")
).pipe(
  Command.withDescription(
    "Watch failures: one line when a cause is new, when its failures double within 5 minutes, and when it has ended. Reads the last hour first, then events as they arrive, and each of them again until its steps are done; of more than 5,000 unfinished events, the newest."
  ),
  Command.withShortDescription("Alert when failures start, double or end."),
  Command.withExamples([
    { command: "signalbox watch", description: "Until ctrl-c; the last hour is not new" },
    { command: "signalbox watch --exit-on new --for 10m --json", description: "As a check after a deployment" }
  ])
)
