import { arch, platform } from "node:os"
import { outlet } from "@signalbox/operator/outlet/Outlet"
import * as Effect from "effect/Effect"
import { Process } from "../../process/Process.ts"

/** Prints one line for each part, or one JSON object. */
export const printVersion = Effect.fnUntraced(function* ({ json }: { readonly json: boolean }) {
  const { version, write } = yield* Process
  const parts = { signalbox: version, node: process.versions.node, platform: `${platform()} ${arch()}` }
  const lines = Object.entries(parts).map(([name, value]) => `${name} ${value}\n`)
  yield* write(json ? outlet("records").json(parts) : outlet("terminal").text(lines.join("")))
})
