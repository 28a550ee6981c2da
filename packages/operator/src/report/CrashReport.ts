/**
 * The report of an app that crashes.
 */
import { ownRedaction } from "../connections/OwnKeys.ts"
import { type Outgoing, outlet } from "../outlet/Outlet.ts"
import { safe } from "../text/Safe.ts"

// A defect may quote what was typed into a form, which no table of secrets knows; its words have no such parts.
const longParts = /[\w:+=-]{24,}/gu

const cleanMessage = (message: string): string =>
  safe(ownRedaction("messages").text(message).replaceAll(longParts, "<redacted>").replaceAll(/\s+/gu, " ").trim())

/** Where it happened; the stack repeats the message first. */
const framesOf = (error: Error): ReadonlyArray<string> =>
  (error.stack ?? "").split("\n").filter((line) => /^\s+at /u.test(line))

/** The message of a defect in one line, without secrets. */
export const crashMessage = (error: unknown): string => {
  const message = cleanMessage(error instanceof Error ? `${error.name}: ${error.message}` : String(error))
  return `internal error: ${message}. Please report it.`
}

/** The message of a defect and where it happened, for stderr. */
export const crashReport = (error: unknown): Outgoing => {
  const frames = error instanceof Error ? framesOf(error) : []
  return outlet("notes").text(["signalbox: " + crashMessage(error), ...frames, ""].join("\n"))
}
