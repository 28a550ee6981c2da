/**
 * The output of the parser: help on request, one line on stderr for an invalid invocation.
 */
import { outlet } from "@signalbox/operator/outlet/Outlet"
import * as Effect from "effect/Effect"
import type * as CliOutput from "effect/cli/CliOutput"
import { Unsuccessful, UsageError } from "../failure/CommandError.ts"
import { exitCodes } from "../failure/ExitCode.ts"
import { commandNames, usageLine } from "../failure/UsageLine.ts"
import { helpStyleOf, helpText } from "./HelpText.ts"
import type { Process } from "../process/Process.ts"
import type { HelpDocs } from "./HelpDocs.ts"

/** Presents help and the version; keeps the one line of a wrong invocation, which is printed like any other failure. */
export interface Help {
  readonly presenter: CliOutput.Presenter
  /** The usage error that the parser found; without a message where the help was shown. */
  readonly usageError: () => UsageError | Unsuccessful
}

/** Makes the presenter of the run of a command line. */
export const makeHelp = (
  args: ReadonlyArray<string>,
  process: Process["Service"],
  { all }: HelpDocs["Service"]
): Help => {
  let message: string | undefined = "invalid invocation"
  const style = helpStyleOf(process)
  const print = (text: string) => Effect.ignore(process.write(outlet("own").text(text)))
  return {
    usageError: () =>
      message === undefined ? new Unsuccessful({ exitCode: exitCodes.usage }) : new UsageError({ message }),
    presenter: {
      present: (event) => {
        switch (event._tag) {
          case "Version":
            return print(`${event.version}\n`)
          case "InvalidInvocation": {
            const [first] = event.errors
            if (first === undefined) return Effect.void
            const needsAll = first._tag === "UnknownSubcommand" || first._tag === "UnrecognizedOption"
            return Effect.map(needsAll ? all : Effect.succeed([]), (docs) => {
              message = usageLine(first, { ...event, args }, docs)
            })
          }
          case "Help":
            if (event.reason === "Requested") return print(helpText(event.helpDoc, style))
            if (event.commandPath.length === 1) {
              message = undefined
              return process.writeError(outlet("own").text(helpText(event.helpDoc, { colours: false })))
            }
            message = `"${event.commandPath.join(" ")}" needs a command; expected one of: ${commandNames(event.helpDoc).join(", ")}`
            return Effect.void
        }
      }
    }
  }
}
