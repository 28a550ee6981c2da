import type { Attempt } from "./Attempt.ts"
import { docsUrl } from "./DocsUrl.ts"
import { remedyOf } from "./PermanentFailure.ts"
import type { CommonReason, Reason, Rejected } from "./Reason.ts"

/** A wait for people to read, rounded up. */
export const waitInWords = (milliseconds: number): string => {
  if (milliseconds < 10_000) return `${Math.ceil(milliseconds)} ms`
  if (milliseconds < 600_000) return `${Math.ceil(milliseconds / 1000)} s`
  const minutes = Math.ceil(milliseconds / 60_000)
  if (minutes < 600) return `${minutes} min`
  return minutes < 6000 ? `${Math.ceil(minutes / 60)} h` : `${Math.ceil(minutes / 1440)} days`
}

/** Advice that ends with a link to what the documentation says about the reason, where it is published. */
export const withDocs = (advice: string, reason: CommonReason | Reason): string =>
  docsUrl === undefined ? advice : `${advice} See ${docsUrl}/errors/${reason._tag.toLowerCase()}/`

/** A failed call, as far as the advice depends on it. */
export interface FailedCall {
  readonly attempts: ReadonlyArray<Attempt>
  /** Whether an attempt before the last one may have reached the service. */
  readonly mayHaveArrived: boolean
  /** Whether applying the change twice does harm. */
  readonly isUnsafeToRetry: boolean
}

/** Whether a failed call may have changed something, and what to do now. */
export interface Advice {
  readonly mayHaveBeenApplied: boolean
  readonly advice: string
}

/** Advises about failed calls of one operation. */
export type Advise<R> = (reason: R, call: FailedCall) => Advice

/** Whether the service refused a request for the time at which it arrived: 408 and 425. */
const isTooSoon = ({ status }: Rejected): boolean => status === 408 || status === 425

const checkNetwork = "Check the base URL and the network, then retry."
const anotherServer = "Check the base URL: another server may have responded."

/** The next step after a call that changed nothing. */
const nextStep = (reason: CommonReason, attempts: number): string => {
  switch (reason._tag) {
    case "InvalidRequest":
      return "Correct the input. Nothing was sent."
    case "TransportFailure":
      // This process, or the machine, has no file descriptor left.
      return reason.code === "EMFILE" || reason.code === "ENFILE"
        ? "Too many files are open: raise the limit (ulimit -n), then retry."
        : (remedyOf(reason.message) ?? checkNetwork)
    case "Timeout":
      return attempts === 0 ? "Allow more time. Nothing was sent." : "Retry, or allow more time."
    case "Unauthorized":
      return "Check the API key and that it belongs to this base URL."
    case "PaymentRequired":
      return "Stay within the limits of the environment's plan."
    case "Forbidden":
      return "Use an API key that may do this."
    case "NotFound":
      // The service responds with an object: HTML and plain text are of a gateway, or a web server.
      return /^\s*[^\s{]/.test(reason.body ?? "")
        ? anotherServer
        : "Check the identifiers and the environment of the API key."
    case "PayloadTooLarge":
      return "Send less in one request."
    case "Conflict":
      return "Read the current state first."
    case "Rejected":
      if (reason.status === 407) return "Check the address and the password of the proxy."
      return isTooSoon(reason) ? "Retry later." : "Correct the request as the response says."
    case "RateLimited":
      return reason.retryAfterMs
        ? `Retry after ${waitInWords(reason.retryAfterMs)}.`
        : "Wait before retrying, and send fewer requests at a time."
    case "ServerFailure":
      return reason.replayed
        ? "This is a stored response; retry with a new idempotency key when the service has recovered."
        : "Retry later."
    case "UnexpectedStatus":
      return anotherServer
    case "MalformedResponse":
      if (reason.isCutOff === true) return checkNetwork
      return reason.accepted === undefined
        ? anotherServer
        : "Check the base URL, and which responses this client accepts."
  }
}

const aboutRead = (advice: string, reason: CommonReason): Advice => ({
  mayHaveBeenApplied: false,
  advice: withDocs(advice, reason)
})

/** Advises about a read, which changes nothing. */
export const adviseRead: Advise<CommonReason> = (reason, { attempts }) =>
  aboutRead(nextStep(reason, attempts.length), reason)

/** Advises about the listing, whose URL has no identifiers that the service could lack. */
export const adviseList: Advise<CommonReason> = (reason, { attempts }) =>
  aboutRead(reason._tag === "NotFound" ? anotherServer : nextStep(reason, attempts.length), reason)

/** Advises about a write; `isUnclear` says whether a reason leaves open that the change was applied. */
export const adviseWrite = (isUnclear: (reason: Reason) => boolean): Advise<Reason> => {
  const nextStepOfWrite = (reason: Reason, call: FailedCall, isLastAttempt: boolean, inDoubt: boolean): string => {
    if (reason._tag === "RequestInFlight") {
      return "Wait for the request with this idempotency key to finish, then retry with the same key."
    }
    if (reason._tag === "IdempotencyKeyReused") {
      return call.mayHaveArrived
        ? "An earlier attempt may have been applied. Check before retrying with a new idempotency key."
        : "Use a new idempotency key; another request used this one before."
    }
    const isMalformed = reason._tag === "MalformedResponse"
    if (isMalformed && reason.accepted === true) return "The change was accepted; do not retry."
    // A redirect, and a complete response that cannot be read, are probably not the service's.
    const isOfAnother = reason._tag === "UnexpectedStatus" || (isMalformed && reason.isCutOff !== true)
    if (!inDoubt || !call.isUnsafeToRetry || isOfAnother) {
      return nextStep(reason, call.attempts.length)
    }
    return isLastAttempt
      ? "It is unknown whether the change was applied. Check before retrying."
      : "An earlier attempt may have been applied. Check before retrying."
  }
  return (reason, call) => {
    // A call can also fail between two attempts, when its time is up.
    const isLastAttempt = call.attempts.at(-1)?.outcome === reason._tag && isUnclear(reason)
    const mayHaveBeenApplied = call.mayHaveArrived || isLastAttempt
    const advice = nextStepOfWrite(reason, call, isLastAttempt, mayHaveBeenApplied)
    return { mayHaveBeenApplied, advice: withDocs(advice, reason) }
  }
}
