import * as Result from "effect/Result"
import { parse } from "@signalbox/operator/filter/Filter"
import { canonicalTime, timeForms } from "@signalbox/operator/filter/FilterTime"
import type { FileRunner } from "../runtime/FileRunner.ts"
import type { Clock } from "../runtime/Clock.ts"
import { cleanLine, outlet } from "@signalbox/operator/outlet/Outlet"
import { type LaunchOptions, withEnvironment } from "./LaunchOptions.ts"
import { newestFirst, readColumns, readSort } from "../screens/events/EventColumns.ts"
import type { ScreenSettings } from "@signalbox/operator/node"
import { readBindings } from "../app/OwnBindings.ts"
import { chooseSession, readConfig } from "./Connections.ts"
import { openReplay } from "./Replay.ts"
import { openScreens } from "./Screens.ts"

/** The process that the program runs in. */
export interface Process {
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly clock: Clock
  /** Runs files, where the program that contains the terminal UI has an engine for it. */
  readonly runFile?: FileRunner | undefined
}

/** The exit code for options and environments that are wrong. */
export const usageProblem = 2

/** Prints why the terminal UI does not open, whatever the service or the command line put into it. */
export const refuse = (message: string): number => {
  process.stderr.write(outlet("notes").text(`signalbox: ${cleanLine(message)}\n`))
  return usageProblem
}

/** Whether screens can be drawn where the program runs. A dumb terminal has no cursor that could be moved. */
const canDraw = ({ TERM }: Process["environment"]): boolean =>
  process.stdin.isTTY && process.stdout.isTTY && TERM !== "dumb"

/** The settings of the screens in the configuration file; the error names the place in the file. */
const readScreens = ({ columns, keys, mouse = false, sort, timeZone = "utc" }: Partial<ScreenSettings> = {}) =>
  Result.gen(function* () {
    const at = <A>(key: string, read: Result.Result<A, string>) =>
      Result.mapError(read, (problem) => `${key}: ${problem}`)
    return {
      timeZone,
      mouse,
      bindings: yield* readBindings(keys ?? new Map()),
      list: {
        columns: columns === undefined ? undefined : yield* at("columns", readColumns(columns)),
        sort: sort === undefined ? newestFirst : yield* at("sort", readSort(sort))
      }
    }
  })

/** Opens the terminal UI and returns its exit code once it is quit. */
export const launch = async (given: LaunchOptions, { clock, environment, runFile }: Process): Promise<number> => {
  const options = withEnvironment(given, environment)
  if (typeof options === "string") return refuse(options)
  const { filter = "", replay } = options
  const since = options.since === undefined ? undefined : canonicalTime(options.since)
  if (since === undefined && options.since !== undefined) {
    return refuse(`--since is "${options.since}"; it must be a time such as ${timeForms}`)
  }
  const config = await readConfig(environment)
  if (typeof config === "string") return refuse(config)
  const screens = readScreens(config?.screens)
  if (Result.isFailure(screens)) return refuse(`${config?.path}: ${screens.failure}`)
  const chosen = replay === undefined ? await chooseSession(options, environment, config) : openReplay(replay)
  if (chosen._tag === "Refused") return refuse(chosen.message)
  const parsed = parse(filter === "" ? (chosen.replay?.filter ?? "") : filter)
  if (parsed._tag === "Refused") return refuse(`--filter: ${parsed.message}`)
  if (!canDraw(environment)) {
    return refuse("the terminal UI needs a terminal that is not dumb; elsewhere, use signalbox events list")
  }
  const now = chosen.replay?.now ?? clock.now
  return openScreens({
    ...chosen,
    screens: screens.success,
    filter: parsed.filter,
    options: { ...options, since },
    environment,
    clock: { ...clock, now },
    runFile
  })
}
