/**
 * The exit codes, and the code of every reason for which a call can fail.
 */
import type { Reason } from "@signalbox/core/Errors"

/** Exit codes by what they mean to a script. */
export const exitCodes = {
  success: 0,
  checkFailed: 1,
  usage: 2,
  unauthorized: 3,
  notFound: 4,
  refused: 5,
  rateLimited: 6,
  unavailable: 7,
  partial: 8,
  paused: 9,
  declined: 10,
  defect: 70,
  hungUp: 129,
  interrupted: 130,
  terminated: 143
} as const

/** A documented exit code. */
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes]

/** The meaning of each exit code, for the documentation. */
export const exitCodeMeanings: Readonly<Record<keyof typeof exitCodes, string>> = {
  success: "The command did what it was asked to do.",
  checkFailed: "The command ran, and the check that it makes failed: see the table of checks.",
  usage:
    "The command line, an input file or the configuration is wrong, or a file cannot be written. Nothing was sent.",
  unauthorized: "The service does not accept the API key, or the key lacks permission.",
  notFound: "The record does not exist.",
  refused: "The service refused the request, or the connection is read-only. Retrying the same request fails again.",
  rateLimited: "The service limits the request rate. Retry later.",
  unavailable: "The service did not respond, or responded with a server error. Retry later.",
  partial: "Some of the work was done, as the output says, or the output could not be written.",
  paused: "The bulk run is paused. `signalbox bulk resume` continues it.",
  declined: "You answered no to the confirmation. Nothing was done.",
  defect: "Signalbox has a bug, and cannot say what was done.",
  hungUp: "The terminal was closed (SIGHUP). The output says what was done.",
  interrupted: "Interrupted with ctrl-c. The output says what was done.",
  terminated: "Ended with SIGTERM, for example by a supervisor. The output says what was done."
}

/** The checks that exit with 1, by their commands, and what they fail for. */
export const checks = {
  "events diagnose --fail-on-failures":
    "An event failed, or could not be read, or `--limit` left out a part of the time since `after:`.",
  "watch --exit-on": "There was an alert of this kind.",
  doctor: "A check of the deployment failed; a failed call has its own code."
} as const

/** The exit code of each reason. A new reason does not compile until it has one. */
export const exitCodeOfReason: Readonly<Record<Reason["_tag"], ExitCode>> = {
  InvalidRequest: exitCodes.usage,
  TransportFailure: exitCodes.unavailable,
  Timeout: exitCodes.unavailable,
  Unauthorized: exitCodes.unauthorized,
  PaymentRequired: exitCodes.refused,
  Forbidden: exitCodes.unauthorized,
  NotFound: exitCodes.notFound,
  PayloadTooLarge: exitCodes.refused,
  RequestInFlight: exitCodes.unavailable,
  IdempotencyKeyReused: exitCodes.refused,
  Conflict: exitCodes.refused,
  Rejected: exitCodes.refused,
  RateLimited: exitCodes.rateLimited,
  ServerFailure: exitCodes.unavailable,
  UnexpectedStatus: exitCodes.unavailable,
  MalformedResponse: exitCodes.unavailable
}
