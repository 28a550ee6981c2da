import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { handledBy } from "../HandledBy.ts"

/** Prints the versions that a bug report needs. */
export const version = Command.make(
  "version",
  { json: Flag.Boolean("json").pipe(Flag.withDefault(false), Flag.withDescription("Print one JSON object.")) },
  handledBy(() => import("./PrintVersion.ts"), "printVersion")
).pipe(
  Command.withDescription("Print the versions of Signalbox, Node and the platform."),
  Command.withExamples([{ command: "signalbox version" }, { command: "signalbox version --json" }])
)
