/**
 * Describes a failed call in a few lines of plain text, to send to support: the failure, its time and place, the
 * request id, and the advice.
 */
import { cleanLine } from "../outlet/Outlet.ts"

/** A failed call in words: the failure, the next step, and the facts to quote to the service's support team. */
export interface Problem {
  readonly summary: string
  readonly advice: string
  readonly requestId?: string
  /** The service's messages for individual fields of the request, by path. */
  readonly fields: ReadonlyArray<{ readonly path: string; readonly message: string }>
  readonly at: number
  /** Whether the change may have been applied although the call failed; absent where it was not. */
  readonly mayHaveBeenApplied?: true
}

/** The problem as text, ending with a line break; `connection` is the name of where it happened. */
export const problemReport = ({ at, fields, advice, requestId, summary }: Problem, connection: string): string =>
  [
    cleanLine(summary),
    ...fields.map(({ message, path }) => `${cleanLine(path)}: ${cleanLine(message)}`),
    `Request: ${requestId === undefined ? "the service gave no id" : cleanLine(requestId)}`,
    `At: ${new Date(at).toISOString()} on ${cleanLine(connection)}`,
    `Next: ${cleanLine(advice)}`,
    ""
  ].join("\n")
