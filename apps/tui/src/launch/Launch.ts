import { parse } from "@signalbox/operator/filter/Filter"
import type { Clock } from "../runtime/Clock.ts"
import { safe } from "@signalbox/operator/text/Safe"
import { readArguments } from "./Arguments.ts"
import { chooseSession } from "./Connections.ts"
import { openScreens } from "./Screens.tsx"
import { resetSequence } from "./Terminal.ts"

/** The process that the program runs in. */
export interface Process {
  readonly args: ReadonlyArray<string>
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly version: string
  readonly clock: Clock
}

const usageProblem = 2

/** A line for the person, whatever the service or the command line put into it. */
const say = (text: string): void => {
  process.stderr.write(`${safe(text)}\n`)
}

/** Whether screens can be drawn where the program runs. A dumb terminal has no cursor that could be moved. */
const canDraw = ({ TERM }: Process["environment"]): boolean =>
  process.stdin.isTTY && process.stdout.isTTY && TERM !== "dumb"

/** Runs the program and gives its exit code. */
export const launch = async ({ args, environment, version, clock }: Process): Promise<number> => {
  const request = readArguments(args, environment, version)
  switch (request._tag) {
    case "Print":
      process.stdout.write(request.text)
      return 0
    case "ResetTerminal":
      process.stdout.write(resetSequence)
      return 0
    case "Refused":
      say(request.message)
      return usageProblem
  }
  const { replay } = request.arguments
  const chosen =
    replay === undefined
      ? await chooseSession(request.arguments, environment)
      : (await import("./Replay.ts")).openReplay(replay)
  if (chosen._tag === "Refused") {
    say(`signalbox-tui: ${chosen.message}`)
    return usageProblem
  }
  const parsed = parse(request.arguments.filter === "" ? (chosen.replay?.filter ?? "") : request.arguments.filter)
  if (parsed._tag === "Refused") {
    say(`signalbox-tui: --filter: ${parsed.message}`)
    return usageProblem
  }
  const now = chosen.replay?.now ?? clock.now
  if (!canDraw(environment)) {
    say("signalbox-tui: needs a terminal that is not dumb; elsewhere, use signalbox events list")
    return usageProblem
  }
  const screens = { ...chosen, filter: parsed.filter, arguments: request.arguments, environment }
  return openScreens({ ...screens, clock: { ...clock, now } })
}
