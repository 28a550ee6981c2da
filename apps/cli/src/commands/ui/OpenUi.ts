import { launch, type LaunchOptions, resetSequence, systemClock } from "@signalbox/tui"
import { outlet } from "@signalbox/operator/outlet/Outlet"
import * as Effect from "effect/Effect"
import { Unsuccessful, usage } from "../../failure/CommandError.ts"
import { Process } from "../../process/Process.ts"
import { runFile } from "./RunFile.ts"

/** Restores a terminal. */
export const resetTerminal = Effect.flatMap(Process, ({ write }) => write(outlet("own").text(resetSequence)))

/** Opens the terminal UI and waits until it is quit. */
export const openUi = Effect.fnUntraced(function* (options: LaunchOptions) {
  if (options.connection !== undefined && options.replay !== undefined) {
    return yield* usage("--replay and --connection cannot be used together")
  }
  const { environment, stdinIsTerminal, stdoutIsTerminal } = yield* Process
  if (!stdinIsTerminal || !stdoutIsTerminal || environment["TERM"] === "dumb") {
    return yield* usage("ui needs a terminal; use signalbox events list elsewhere")
  }
  const exitCode = yield* Effect.promise(() => launch(options, { environment, clock: systemClock, runFile }))
  if (exitCode !== 0) return yield* new Unsuccessful({ exitCode })
})
