/**
 * Runs one command line from its words to its exit code.
 */
import { protectKey } from "@signalbox/operator/connections/OwnKeys"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Layer from "effect/Layer"
import * as Path from "effect/Path"
import * as Redacted from "effect/Redacted"
import * as Stdio from "effect/Stdio"
import * as Terminal from "effect/Terminal"
import * as CliConfig from "effect/cli/CliConfig"
import * as CliOutput from "effect/cli/CliOutput"
import * as Command from "effect/cli/Command"
import * as GlobalFlag from "effect/cli/GlobalFlag"
import * as ChildProcessSpawner from "effect/process/ChildProcessSpawner"
import { commandsFor } from "./commands/Commands.ts"
import { UsageError } from "./failure/CommandError.ts"
import { exitCodes } from "./failure/ExitCode.ts"
import { type Failure, failureOf, failureOfDefect, failureText } from "./failure/Failure.ts"
import { makeHelp } from "./help/Help.ts"
import { asksForHelp, beforeOperands, combinedHelp, flagBeforeHelp, missingValue } from "./help/HelpRequest.ts"
import { helpBelow, helpDocOf, HelpDocs } from "./help/HelpDocs.ts"
import { withOperands } from "./Operands.ts"
import { Process } from "./process/Process.ts"

const unused = Effect.die("A command that uses this service provides it, so that the others start faster")

/** The services of the parser. It needs them only where a flag reads a file or prompts; no flag here does. */
const parserLayer = Layer.mergeAll(
  FileSystem.layerNoop({}),
  Path.layer,
  CliConfig.layer({ builtIns: [GlobalFlag.Help, GlobalFlag.Version] }),
  Stdio.layerTest({}),
  Layer.succeed(
    Terminal.Terminal,
    Terminal.make({
      columns: unused,
      rows: unused,
      size: unused,
      readInput: unused,
      readLine: unused,
      display: () => unused
    })
  ),
  Layer.succeed(
    ChildProcessSpawner.ChildProcessSpawner,
    ChildProcessSpawner.make(() => unused)
  )
)

/** Whether errors are JSON too; looked up in the words, since they may be what is wrong. */
const wantsJson = (args: ReadonlyArray<string>): boolean => beforeOperands(args).includes("--json")

/** The help of every command, as data. */
export const makeHelpDocs = (process: Process["Service"]): HelpDocs["Service"] => {
  const helpDocs: HelpDocs["Service"] = {
    find: (path) =>
      Effect.flatMap(commandsFor(path), (commands) => helpDocOf(commands, path)).pipe(
        Effect.provideService(HelpDocs, helpDocs),
        Effect.provideService(Process, process),
        Effect.provide(parserLayer)
      ),
    all: Effect.suspend(() => helpBelow(helpDocs.find, []))
  }
  return helpDocs
}

/** Runs a command line; gives the exit code of the process. */
export const runCommandLine = (args: ReadonlyArray<string>, process: Process["Service"]): Effect.Effect<number> => {
  // Someone may have typed the key where a name belongs, and an error quotes it.
  const { SIGNALBOX_API_KEY: apiKey } = process.environment
  if (apiKey) protectKey(Redacted.make(apiKey))
  const helpDocs = makeHelpDocs(process)
  const help = makeHelp(args, process, helpDocs)
  const fail = (failure: Failure) =>
    Effect.as(process.writeError(failureText(failure, wantsJson(args))), failure.exitCode)
  const words = withOperands(args)
  const combined = combinedHelp(words)
  const unknown = combined && `unknown flag ${combined}; write -h and -v as separate words`
  const flag = flagBeforeHelp(words)
  const path = words.slice(
    0,
    words.findIndex((word) => word.startsWith("-"))
  )
  const checked =
    flag === undefined
      ? Effect.succeed(unknown)
      : Effect.map(helpDocs.find(path), (doc) => missingValue(flag)(doc) ?? unknown)
  return Effect.flatMap(checked, (message) =>
    message === undefined
      ? args[0] === "fake" && !asksForHelp(args)
        ? Effect.flatMap(
            Effect.promise(() => import("./commands/fake/RunFake.ts")),
            ({ runFake }) => runFake(args.slice(1))
          )
        : Effect.flatMap(commandsFor(args), (commands) =>
            Command.runWith(commands, { version: process.version })(words)
          )
      : Effect.fail(new UsageError({ message }))
  ).pipe(
    Effect.as<number>(exitCodes.success),
    Effect.catch((error) => {
      switch (error._tag) {
        case "OutputClosed":
          return Effect.succeed(exitCodes.success)
        case "ShowHelp":
        case "UnrecognizedOption":
        case "DuplicateOption":
        case "MissingOption":
        case "MissingArgument":
        case "UnexpectedArgument":
        case "InvalidValue":
        case "UnknownSubcommand":
        case "ValidationError":
        case "UserError":
          return fail(failureOf(help.usageError()))
        default:
          return fail(failureOf(error))
      }
    }),
    Effect.catchDefect((defect) => fail(failureOfDefect(defect))),
    Effect.provideService(CliOutput.Presenter, help.presenter),
    Effect.provideService(HelpDocs, helpDocs),
    Effect.provideService(Process, process),
    Effect.provide(parserLayer)
  )
}
