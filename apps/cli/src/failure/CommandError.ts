/**
 * The errors that commands fail with on their own account; calls fail with the errors of their operations.
 */
import type { CallError } from "@signalbox/core/Errors"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import { type checks, exitCodes } from "./ExitCode.ts"

/** The command line, a file or the configuration is wrong: one line that names the place and what is allowed. */
export class UsageError extends Data.TaggedError("UsageError")<{ readonly message: string }> {}

/** Fails with a {@link UsageError}. */
export const usage = (message: string): Effect.Effect<never, UsageError> => Effect.fail(new UsageError({ message }))

/** An error of another package as a {@link UsageError}. */
export const asUsage = ({ message }: { readonly message: string }): UsageError => new UsageError({ message })

/** The command ran and its outcome is not success: a failed check, a partial result, a missing record. */
export class Unsuccessful extends Data.TaggedError("Unsuccessful")<{
  readonly exitCode: number
  /** One line for stderr; absent where the output already says it. */
  readonly message?: string
}> {}

/** A check ran and failed, as the output says. The name is one of the list that the help shows, or does not compile. */
export const checkFailed = (_check: keyof typeof checks): Unsuccessful =>
  new Unsuccessful({ exitCode: exitCodes.checkFailed })

/** A failed call that has no operation: its line starts with the request that the user gave. */
export class FailedRequest extends Data.TaggedError("FailedRequest")<{
  readonly error: CallError
  readonly request: string
}> {}
