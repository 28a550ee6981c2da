import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { Events } from "@signalbox/core/Events"
import { filtersOf, make as makeEvents, visible } from "../screens/events/EventsScreen.ts"
import { clear, parse } from "../filter/Filter.ts"
import { problemFrom } from "../runtime/Problems.ts"
import type { Clock } from "../runtime/Clock.ts"
import type { Session } from "../runtime/Session.ts"
import { readArguments } from "./Arguments.ts"
import { chooseSession } from "./Connections.ts"
import { openScreens } from "./Screens.tsx"
import { plainTable } from "./PlainTable.ts"
import { resetSequence } from "./Terminal.ts"

/** What the program was started with. */
export interface Process {
  readonly args: ReadonlyArray<string>
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly version: string
  readonly clock: Clock
}

const usageProblem = 2

const say = (text: string): void => {
  process.stderr.write(`${text}\n`)
}

const printTable = async (session: Session, typed: string, now: () => number): Promise<number> => {
  const parsed = parse(typed)
  const screen = makeEvents(0, parsed._tag === "Refused" ? clear : parsed.filter)
  const exit = await session.runtime.runPromiseExit(
    Effect.flatMap(Events, (events) => events.list(filtersOf(screen, 0, now())))
  )
  await session.runtime.dispose()
  if (Exit.isFailure(exit)) {
    const problem = problemFrom(exit.cause, now())
    say(`signalbox-tui: ${problem.summary}. ${problem.nextStep}`)
    return 1
  }
  process.stdout.write(plainTable(visible({ ...screen, events: exit.value.data })))
  if (exit.value.hasMore) say("(the newest events; there are more)")
  return 0
}

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
  const parsed = parse(request.arguments.filter)
  if (parsed._tag === "Refused") {
    say(`signalbox-tui: --filter: ${parsed.message}`)
    return usageProblem
  }
  const chosen = await chooseSession(request.arguments, environment)
  if (chosen._tag === "Refused") {
    say(`signalbox-tui: ${chosen.message}`)
    return usageProblem
  }
  if (!process.stdin.isTTY || !process.stdout.isTTY)
    return printTable(chosen.session, request.arguments.filter, clock.now)
  return openScreens({ ...chosen, filter: parsed.filter, arguments: request.arguments, environment, clock })
}
