import type { Attempt } from "@signalbox/core/Errors"
import type { CallInfo } from "@signalbox/core/CallInfo"
import type { AnyOperationName } from "@signalbox/core/Operations"

const joined = (parts: ReadonlyArray<string | false | undefined>): string => parts.filter(Boolean).join(" ")

/** The log lines for `debug`. */
export const linesOf = (write: (line: string) => void) => ({
  attempt: (operation: AnyOperationName, { delayMs, durationMs, number, outcome, requestId, status }: Attempt) =>
    write(
      joined([
        `${operation} attempt ${number}: ${status ?? "no response"} ${outcome} in ${durationMs} ms`,
        delayMs > 0 && `after a delay of ${delayMs} ms`,
        requestId && `(request ${requestId})`
      ])
    ),
  success: ({ attempts, driftCount, durationMs, operation, replayed }: CallInfo) =>
    write(
      joined([
        `${operation} succeeded in ${durationMs} ms, attempts: ${attempts.length}`,
        driftCount > 0 && `drift: ${driftCount}`,
        replayed && "(stored response)"
      ])
    ),
  failure: (error: unknown) => {
    if (error instanceof Error) write(error.message)
  },
  warning: (line: string) => write(`warn ${line}`)
})
