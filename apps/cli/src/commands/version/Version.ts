import { arch, platform } from "node:os"
import { outlet } from "@signalbox/operator/outlet/Outlet"
import * as Effect from "effect/Effect"
import * as Command from "effect/cli/Command"
import { switchFlag } from "../../flags/Flags.ts"
import { Process } from "../../process/Process.ts"

/** Prints the versions that a bug report needs: one line for each part, or one JSON object. */
export const version = Command.make(
  "version",
  { json: switchFlag("json", "Print one JSON object.") },
  Effect.fnUntraced(function* ({ json }) {
    const { version: own, write } = yield* Process
    const parts = { signalbox: own, node: process.versions.node, platform: `${platform()} ${arch()}` }
    const lines = Object.entries(parts).map(([name, value]) => `${name} ${value}\n`)
    yield* write(json ? outlet("records").json(parts) : outlet("terminal").text(lines.join("")))
  })
).pipe(
  Command.withDescription("Print the versions of Signalbox, Node and the platform."),
  Command.withExamples([{ command: "signalbox version" }, { command: "signalbox version --json" }])
)
