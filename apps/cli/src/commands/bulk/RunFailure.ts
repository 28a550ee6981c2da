/**
 * The failures of a command that works with a run.
 */
import type { OutcomeCounts, RunError } from "@signalbox/bulk"
import type { Reason } from "@signalbox/core/Errors"
import * as Effect from "effect/Effect"
import { Unsuccessful, UsageError } from "../../failure/CommandError.ts"
import { exitCodeOfReason, exitCodes } from "../../failure/ExitCode.ts"

const isReason = (reason: string): reason is Reason["_tag"] => Object.hasOwn(exitCodeOfReason, reason)

/** The exit code for the reason of a call; `undefined` for any other reason. */
const exitCodeOf = (reason = ""): number | undefined => (isReason(reason) ? exitCodeOfReason[reason] : undefined)

/** The message and exit code for the error of a run. */
export const runFailure = (error: RunError): UsageError | Unsuccessful => {
  // Options of the library have the names of flags here.
  const message = error.message
    .replace(/^columns:/u, "--column:")
    .replace(/^defaults: providerId:/u, "--provider:")
    .replace(/^defaults: integrationIdentifier:/u, "--integration:")
    .replace("a mapping of columns", "--column FIELD=COLUMN for each field")
    .replace("the option again", "--again")
  switch (error._tag) {
    case "RunStopped":
      return new Unsuccessful({
        exitCode: exitCodeOf(error.reason) ?? exitCodes.partial,
        message
      })
    case "DatabaseError":
      return new Unsuccessful({ exitCode: exitCodes.unavailable, message })
    case "JournalError":
      return new Unsuccessful({ exitCode: exitCodes.partial, message })
    case "InvalidInput":
    case "FileError":
    case "InputChanged":
    case "RunLocked":
    case "RunUnfinished":
    case "RunFinished":
    case "RunNotFound":
    case "RunStateError":
    case "InvalidOption":
      return new UsageError({ message })
  }
}

/** Fails where a run is paused, or has ended and some of its lines did not succeed; `run` is how commands name it. */
export const requireSuccess = (
  { counts: { failed, invalid, unknown }, state }: { readonly counts: OutcomeCounts; readonly state: string },
  run: string
): Effect.Effect<void, Unsuccessful> => {
  if (state === "paused") {
    const message = `the run is paused; continue with: signalbox bulk resume ${run}`
    return Effect.fail(new Unsuccessful({ exitCode: exitCodes.paused, message }))
  }
  const isCancelled = state === "cancelled"
  if (failed + invalid + unknown === 0 && !isCancelled) return Effect.void
  const cancelled = isCancelled ? "the run was cancelled before its end; " : ""
  const doubt =
    unknown === 0
      ? ""
      : `. Unknown lines may have been applied: check them, or send them again, perhaps twice, with: signalbox bulk retry-failed ${run} --at-least-once`
  const message = `${cancelled}${failed} failed, ${unknown} unknown, ${invalid} invalid; see signalbox bulk report ${run}${doubt}`
  return Effect.fail(new Unsuccessful({ exitCode: exitCodes.partial, message }))
}
