import { setFlagsFromString } from "node:v8"
import { launch, systemClock } from "@signalbox/tui"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { Unsuccessful, UsageError } from "../../failure/CommandError.ts"
import { Process } from "../../process/Process.ts"

/** The input of the terminal UI. */
interface UiInput {
  readonly connection: Option.Option<string>
  readonly replay: Option.Option<string>
}

const argument = (flag: string, value: Option.Option<string>): ReadonlyArray<string> =>
  Option.isNone(value) ? [] : [`${flag}=${value.value}`]

/** Opens the terminal UI and waits until it is quit. */
export const openUi = Effect.fnUntraced(function* ({ connection, replay }: UiInput) {
  if (Option.isSome(connection) && Option.isSome(replay)) {
    return yield* new UsageError({ message: "--replay and --connection cannot be used together" })
  }
  const { environment, stdinIsTerminal, stdoutIsTerminal, version } = yield* Process
  if (!stdinIsTerminal || !stdoutIsTerminal || environment["TERM"] === "dumb") {
    return yield* new UsageError({ message: "ui needs a terminal; use signalbox events list elsewhere" })
  }
  // The terminal UI's own program does the same: frames leave short-lived strings behind, and the heap stays half as large.
  setFlagsFromString("--semi-space-growth-factor=1")
  setFlagsFromString("--heap-growing-percent=20")
  const args = [...argument("--connection", connection), ...argument("--replay", replay)]
  const exitCode = yield* Effect.promise(() => launch({ args, environment, version, clock: systemClock }))
  if (exitCode !== 0) return yield* new Unsuccessful({ exitCode })
})
