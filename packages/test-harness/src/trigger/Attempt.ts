/**
 * Attempts to send the message of a step, one for each integration and device token, and what they amount to.
 */
import type { JobProviderId, MessageDraft } from "../state/Records.ts"
import { type FailureKind, rawOf, type Rejection, rejectionOf } from "./FailureKind.ts"
import { type DetailName, type Line, line } from "./ServiceDetail.ts"

/** The course of a step that sends, without its times. */
export interface Course {
  /** Absent where the environment has no active integration for the step. */
  readonly providerId?: JobProviderId
  readonly lines: ReadonlyArray<Line>
  readonly outcome: "completed" | "failed" | "canceled"
  readonly drafts?: ReadonlyArray<MessageDraft>
}

export interface Attempt {
  readonly lines: ReadonlyArray<Line>
  readonly result: "sent" | "failed" | "skipped"
  readonly drafts: ReadonlyArray<MessageDraft>
}

/** A message to send, and what the service writes about it. */
export interface Sending {
  readonly draft: MessageDraft
  /** The content with which the message was created. */
  readonly created?: string | object
  /** The provider's response. */
  readonly accepted?: object
}

/** An attempt that creates no message. */
export const without = (result: "failed" | "skipped", ...lines: ReadonlyArray<Line>): Attempt => ({
  lines,
  result,
  drafts: []
})

/** An attempt whose message cannot be addressed. */
export const unaddressed = ({ draft, created }: Sending, problem: Line): Attempt => ({
  lines: [line("created", created), problem],
  result: "skipped",
  drafts: [{ ...draft, errorId: "recipient-incomplete", errorText: problem.detail }]
})

const rejected = (sending: Sending, kind: FailureKind, rejection: Rejection): Attempt => {
  const { accepted, created, draft } = sending
  const error = line("providerError", rawOf(rejection, draft))
  return rejection.recovers === true
    ? {
        lines: [line("created", created), error, { ...line("sent", accepted), isRetry: true }],
        result: "sent",
        drafts: [draft]
      }
    : {
        lines: [line("created", created), error],
        result: "failed",
        drafts: [{ ...draft, errorId: kind, errorText: error.detail }]
      }
}

/** An attempt that sends, unless the provider is to reject it. */
export const send = (sending: Sending, planned?: FailureKind): Attempt => {
  const rejection = planned === undefined ? undefined : rejectionOf(planned)
  return planned === undefined || rejection === undefined
    ? {
        lines: [line("created", sending.created), line("sent", sending.accepted)],
        result: "sent",
        drafts: [sending.draft]
      }
    : rejected(sending, planned, rejection)
}

export const join = (before: Line, attempts: ReadonlyArray<Attempt>): Attempt => ({
  lines: [before, ...attempts.flatMap(({ lines }) => lines)],
  result: attempts.some(({ result }) => result === "sent") ? "sent" : (attempts[0]?.result ?? "failed"),
  drafts: attempts.flatMap(({ drafts }) => drafts)
})

const summaries: Readonly<Record<"chat" | "push", Readonly<Record<"failed" | "skipped", DetailName>>>> = {
  chat: { failed: "chatFailed", skipped: "chatSkipped" },
  push: { failed: "pushFailed", skipped: "pushSkipped" }
}

/**
 * The course of a step after all attempts. A message that arrived one way is sent, whatever happened to the others. A
 * step of a channel with several ways to a subscriber ends with a summary of why none of them worked.
 */
export const courseOf = (
  attempts: ReadonlyArray<Attempt>,
  providerId: JobProviderId | undefined,
  channel?: "chat" | "push"
): Course => {
  const result =
    attempts.find((attempt) => attempt.result === "sent")?.result ??
    attempts.find((attempt) => attempt.result === "failed")?.result ??
    "skipped"
  const lines = attempts.flatMap((attempt) => attempt.lines)
  return {
    ...(providerId === undefined ? {} : { providerId }),
    lines: channel === undefined || result === "sent" ? lines : [...lines, line(summaries[channel][result])],
    outcome: result === "sent" ? "completed" : result === "failed" ? "failed" : "canceled",
    drafts: attempts.flatMap(({ drafts }) => drafts)
  }
}
