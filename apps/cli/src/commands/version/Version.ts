import * as Command from "effect/cli/Command"
import { handledBy } from "../HandledBy.ts"
import { switchFlag } from "../../flags/Flags.ts"

/** Prints the versions that a bug report needs. */
export const version = Command.make(
  "version",
  { json: switchFlag("json", "Print one JSON object.") },
  handledBy(() => import("./PrintVersion.ts"), "printVersion")
).pipe(
  Command.withDescription("Print the versions of Signalbox, Node and the platform."),
  Command.withExamples([{ command: "signalbox version" }, { command: "signalbox version --json" }])
)
