import { MarkManyMessagesAsError } from "@signalbox/core/MarkManyMessagesAsError"
import { isSignalboxError } from "@signalbox/core/SignalboxError"
import * as Cause from "effect/Cause"
import type { Problem } from "../state/State.ts"

const oneLine = (text: string): string => text.replaceAll(/\s+/gu, " ").trim()

/** A failure in words, for the status line and the forms. */
export const problemFrom = (cause: Cause.Cause<unknown>, at: number): Problem => {
  const thrown = Cause.squash(cause)
  // Several calls of one command: the first that failed says what to do, the whole says how far it went.
  const error = thrown instanceof MarkManyMessagesAsError ? (thrown.errors[0] ?? thrown) : thrown
  if (isSignalboxError(error)) {
    const { reason, requestId } = error
    const fields = "fields" in reason ? (reason.fields ?? []) : []
    return {
      summary: oneLine(thrown instanceof Error ? thrown.message : error.message),
      nextStep: oneLine(error.nextStep),
      fields: fields.map(({ path, rule }) => ({ path, message: oneLine(rule) })),
      at,
      ...(requestId === undefined ? {} : { requestId })
    }
  }
  const message = error instanceof Error ? error.message : String(error)
  return {
    summary: oneLine(message),
    nextStep: "This is a fault of Signalbox: please report it.",
    fields: [],
    at
  }
}
