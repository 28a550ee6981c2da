import type { ChannelCredentials } from "@signalbox/core/Subscriber"
import type { Evidence } from "./Evidence.ts"

/** A field of a subscriber's credentials. */
export type CredentialField = keyof ChannelCredentials

/**
 * Whether credentials of the subscriber are the cause. `elsewhere`: they are not, and changing them does not help.
 */
export type CredentialsRole = "cause" | "elsewhere" | "unknown"

/** One kind of problem: how to recognise it, what caused it, how to fix it. */
export interface Rule {
  /** Stable name, for reports and tests. */
  readonly id: string
  readonly credentials: CredentialsRole
  /** Whether it only sums up what another execution detail of the same job says better. */
  readonly summary?: true
  readonly matches: (evidence: Evidence) => boolean
  /** One or two plain sentences. */
  readonly cause: (evidence: Evidence) => string
  readonly advice: (evidence: Evidence) => string
  /** The fields of the credentials form that a fix fills in; only where credentials are the cause. */
  readonly fields?: ReadonlyArray<CredentialField>
}

/** A rule for a failure. */
export interface FailureRule extends Rule {
  /** A few lower-case words for a column or a group: `slack webhook missing`. */
  readonly title: (evidence: Evidence) => string
}

/** Whether the evidence contains all of the patterns. */
export const mentions =
  (...patterns: ReadonlyArray<RegExp>) =>
  ({ words }: Evidence): boolean =>
    patterns.every((pattern) => pattern.test(words))

/** Whether one sentence, of the service or of the provider, contains all of the patterns. */
export const mentionsInOneSentence =
  (...patterns: ReadonlyArray<RegExp>) =>
  ({ sentences }: Evidence): boolean =>
    sentences.some((sentence) => patterns.every((pattern) => pattern.test(sentence)))
