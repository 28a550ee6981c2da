import { isSignalboxError } from "@signalbox/core/SignalboxError"
import * as Cause from "effect/Cause"
import type { Problem } from "../state/State.ts"

const oneLine = (text: string): string => text.replaceAll(/\s+/gu, " ").trim()

const fieldsOf = (reason: unknown): Problem["fields"] => {
  if (typeof reason !== "object" || reason === null) return []
  const listed = "issues" in reason ? reason.issues : "fields" in reason ? reason.fields : undefined
  if (!Array.isArray(listed)) return []
  return listed.flatMap((field: unknown) => {
    if (typeof field !== "object" || field === null || !("path" in field)) return []
    const message = "message" in field ? field.message : "rule" in field ? field.rule : undefined
    return typeof message === "string" ? [{ path: String(field.path), message }] : []
  })
}

/** A failure in words, for the status line and the forms. */
export const problemFrom = (cause: Cause.Cause<unknown>, at: number): Problem => {
  const error = Cause.squash(cause)
  if (isSignalboxError(error)) {
    return {
      summary: oneLine(error.message),
      nextStep: oneLine(error.nextStep),
      fields: fieldsOf(error.reason),
      at,
      ...(error.requestId === undefined ? {} : { requestId: error.requestId })
    }
  }
  const message = error instanceof Error ? error.message : String(error)
  return { summary: oneLine(message), nextStep: "This is a fault of Signalbox: please report it.", fields: [], at }
}
