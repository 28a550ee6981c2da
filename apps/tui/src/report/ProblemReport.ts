/**
 * What went wrong as a few lines of plain text, for whoever is asked about it: what happened, when and where, the request
 * to look for, what was advised.
 */
import { redactTextOf } from "@signalbox/core/Redaction"
import type { Problem } from "../state/State.ts"
import { safe } from "../text/Safe.ts"

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
