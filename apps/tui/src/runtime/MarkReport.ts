import { MarkManyMessagesAsError, type MarkMessagesAsError } from "@signalbox/core/Errors"
import * as Cause from "effect/Cause"
import { problemOf } from "./Problems.ts"
import type { MarkFailure, MarkReport } from "../state/Mark.ts"

const resultOf = ({ mayHaveBeenApplied, reason }: MarkMessagesAsError): MarkFailure["result"] => {
  if (reason._tag === "MalformedResponse" && reason.accepted) return "done"
  return mayHaveBeenApplied ? "unsure" : "refused"
}

/** The failure of a message whose call failed with this error; an interrupted call has no error. */
export const failureOf = (error: MarkMessagesAsError | undefined): MarkFailure =>
  error === undefined ? { result: "unsure" } : { result: resultOf(error), why: problemOf(error, 0).summary }

/** Builds the report on the messages of a mark that failed. */
export const markReportFrom = (cause: Cause.Cause<unknown>, ids: ReadonlyArray<string>): MarkReport => {
  const error = Cause.squash(cause)
  if (!(error instanceof MarkManyMessagesAsError)) {
    return { done: [], messages: [], failed: new Map(ids.map((id) => [id, failureOf(undefined)])), notTried: [] }
  }
  const { done, messages, notTried } = error
  return { done, messages, notTried, failed: new Map(error.failed.map((id) => [id, failureOf(error.errorOf(id))])) }
}
