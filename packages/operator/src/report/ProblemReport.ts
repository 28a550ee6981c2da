/**
 * What went wrong as a few lines of plain text, for whoever is asked about it: what happened, when and where, the request
 * to look for, what was advised.
 */
import { redactTextOf } from "@signalbox/core/Redaction"
import { safe } from "../text/Safe.ts"

/** A failed call in words: what happened, what to do, and what to quote to the people of the service. */
export interface Problem {
  readonly summary: string
  readonly advice: string
  readonly requestId?: string
  /** Messages of the service for single fields of the request, by path. */
  readonly fields: ReadonlyArray<{ readonly path: string; readonly message: string }>
  readonly at: number
}

const clean = (text: string): string => safe(redactTextOf(text, []))

/** The problem as text, ending with a line break; `connection` is the name of where it happened. */
export const problemReport = ({ at, fields, advice, requestId, summary }: Problem, connection: string): string =>
  [
    clean(summary),
    ...fields.map(({ message, path }) => `${clean(path)}: ${clean(message)}`),
    `Request: ${requestId === undefined ? "the service gave no id" : clean(requestId)}`,
    `At: ${new Date(at).toISOString()} on ${clean(connection)}`,
    `Next: ${clean(advice)}`,
    ""
  ].join("\n")
