import { outlet } from "@signalbox/operator/outlet/Outlet"
import { systemReason } from "@signalbox/operator/text/SystemReason"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import { runCommandLine } from "./CommandLine.ts"
import { exitCodes } from "./failure/ExitCode.ts"
import { failureOfDefect, failureText } from "./failure/Failure.ts"
import { makeNodeProcess, writeLast } from "./process/NodeProcess.ts"

/** Reports that the output could not be written, and ends the process. */
export const failOutput = (error: Error): void => {
  writeLast(outlet("notes").text(`signalbox: cannot write the output: ${systemReason(error)}\n`))
  process.exit(exitCodes.partial)
}

/** Runs the command line of this process and sets its exit code. */
export const run = async (args: ReadonlyArray<string>, version: string): Promise<void> => {
  const { onSignal, outputFailure, service } = makeNodeProcess(version)
  // An exception of a timer or a listener, which no fiber sees; Node would print it with the values that it quotes.
  const crash = (error: unknown) => {
    const failure = failureOfDefect(error)
    writeLast(failureText(failure, false))
    process.exit(failure.exitCode)
  }
  process.on("uncaughtException", crash)
  process.on("unhandledRejection", crash)
  const fiber = Effect.runFork(runCommandLine(args, service))
  const interruption = onSignal(() => fiber.interruptUnsafe())
  const exit = await Effect.runPromise(Fiber.await(fiber))
  if (Exit.isSuccess(exit)) process.exitCode = exit.value
  else if (Cause.hasInterruptsOnly(exit.cause)) process.exitCode = interruption()
  else crash(Cause.squash(exit.cause))
  const unwritten = outputFailure()
  if (unwritten !== undefined) return failOutput(unwritten)
  // Sockets that a server keeps open must not keep the process.
  if (process.stdout.writableLength === 0) process.exit()
  process.stdout.once("drain", () => process.exit())
}
