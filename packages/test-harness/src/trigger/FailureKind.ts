/**
 * The kinds of failure that a trigger can request by name, and the execution details of each.
 */
import type { DetailRecord, JobProviderId } from "../state/Records.ts"

/** Names of the failures. */
export const failureKinds = [
  "provider-unauthorized",
  "provider-forbidden",
  "provider-limit",
  "provider-outage",
  "provider-outage-recovered",
  "rate-limited-recovered",
  "token-unregistered",
  "webhook-gone",
  "content-not-generated",
  "bridge-failed",
  "no-active-integration"
] as const

/** Name of a failure. */
export type FailureKind = (typeof failureKinds)[number]

/** The course of a failure: its details, timed from the start of the job, and whether a retry succeeds. */
export interface FailureCourse {
  readonly details: ReadonlyArray<DetailRecord>
  readonly recovered: boolean
  /** Milliseconds from the start of the job to its end. */
  readonly takes: number
}

const raw = (value: object): string => JSON.stringify(value)

/** The result of a failure in a job that starts at `start`. */
export const failureCourse = (kind: FailureKind, start: number, providerId: JobProviderId): FailureCourse => {
  const failed = (
    after: number,
    detail: string,
    source: DetailRecord["source"],
    answer?: object,
    isRetry = false
  ): DetailRecord => ({
    at: start + after,
    status: "Failed",
    source,
    detail,
    isRetry,
    providerId,
    ...(answer === undefined ? {} : { raw: raw(answer) })
  })
  const broken = (takes: number, ...details: ReadonlyArray<DetailRecord>): FailureCourse => ({
    details,
    recovered: false,
    takes
  })
  switch (kind) {
    case "provider-unauthorized":
      return broken(
        420,
        failed(420, "Unexpected provider error", "Credentials", {
          statusCode: 401,
          message: "Invalid API key: authentication failed"
        })
      )
    case "provider-forbidden":
      return broken(
        380,
        failed(380, "Unexpected provider error", "Credentials", {
          statusCode: 403,
          message: "The sender address is not verified for this account"
        })
      )
    case "provider-limit":
      return broken(
        310,
        failed(310, "Provider limit exceeded", "Internal", {
          statusCode: 429,
          message: "Monthly sending quota of the plan is used up"
        })
      )
    case "provider-outage": {
      const answer = { statusCode: 503, message: "upstream connect error or disconnect before headers" }
      return broken(
        42_000,
        failed(1200, "Unexpected provider error", "Internal", answer),
        failed(11_400, "Unexpected provider error", "Internal", answer, true),
        failed(42_000, "Unexpected provider error", "Internal", answer, true)
      )
    }
    case "provider-outage-recovered":
      return {
        recovered: true,
        takes: 10_800,
        details: [failed(900, "Unexpected provider error", "Internal", { statusCode: 502, message: "Bad gateway" })]
      }
    case "rate-limited-recovered":
      return {
        recovered: true,
        takes: 31_000,
        details: [
          failed(240, "Provider rate limit reached", "Internal", { statusCode: 429, message: "Too many requests" })
        ]
      }
    case "token-unregistered":
      return broken(
        530,
        failed(530, "Push provider rejected the device token", "Credentials", {
          code: "messaging/registration-token-not-registered",
          message: "Requested entity was not found."
        })
      )
    case "webhook-gone":
      return broken(
        260,
        failed(260, "Unexpected provider error", "Credentials", { statusCode: 404, message: "no_service" }),
        failed(260, "Sending message failed on all chat channels", "Credentials")
      )
    case "content-not-generated":
      return broken(
        90,
        failed(90, "Message content could not be generated", "Payload", {
          message: "Variable payload.order.total is missing"
        })
      )
    case "bridge-failed":
      return broken(
        5000,
        failed(5000, "Bridge execution failed", "Internal", {
          statusCode: 504,
          code: "BRIDGE_ENDPOINT_NOT_AVAILABLE",
          message: "Bridge endpoint did not answer"
        })
      )
    case "no-active-integration":
      return broken(60, failed(60, "Environment does not have an active integration", "Internal"))
  }
}
