import type { ChannelCredentials } from "@signalbox/core/Records"
import type { Evidence } from "./Evidence.ts"
import type { Owner } from "./Owner.ts"

/** A field of a subscriber's credentials. */
export type CredentialField = keyof ChannelCredentials

/**
 * Whether credentials of the subscriber are the cause. `elsewhere`: they are not, and changing them does not help.
 */
export type CredentialsRole = "cause" | "elsewhere" | "unknown"

/** One cause: who can fix it, how to recognise it where its wording is not in the catalogue, what to do. */
export interface Rule {
  /** Stable name, for reports, filters and tests. */
  readonly id: string
  /** Absent if another step, or another execution detail of the step, decides. */
  readonly owner?: Owner
  /** Absent where credentials are not the cause. */
  readonly credentials?: Exclude<CredentialsRole, "elsewhere">
  /** Whether it names no reason, so that another failed detail of the same job explains more. */
  readonly weak?: true
  /** Absent if only wordings of the catalogue have this cause. */
  readonly matches?: (evidence: Evidence) => boolean
  /** One or two plain sentences. */
  readonly cause: (evidence: Evidence) => string
  readonly advice: (evidence: Evidence) => string
  /** The fields of the credentials form that a fix fills in; only where credentials are the cause. */
  readonly fields?: ReadonlyArray<CredentialField>
}

/** A cause of a failure. */
export interface FailureRule extends Rule {
  readonly owner: Owner
  /** A few lower-case words for a column or a group: `slack webhook missing`. */
  readonly title: (evidence: Evidence) => string
}

/** An integration in words, to follow a provider or a change; empty where it is not named. */
export const ofIntegration = (identifier: string | undefined): string =>
  identifier === undefined || identifier === "" ? "" : ` (integration ${identifier})`

/** Several integrations in words. */
export const ofIntegrations = (identifiers: ReadonlyArray<string>): string =>
  ` (integrations ${identifiers.join(", ")})`

/** Whether the evidence contains all of the patterns. */
export const mentions =
  (...patterns: ReadonlyArray<RegExp>) =>
  ({ plain }: Evidence): boolean =>
    patterns.every((pattern) => pattern.test(plain))

/** Whether one sentence, of the service or of the provider, contains all of the patterns. */
export const mentionsInOneSentence =
  (...patterns: ReadonlyArray<RegExp>) =>
  ({ sentences }: Evidence): boolean =>
    sentences.some((sentence) => patterns.every((pattern) => pattern.test(sentence)))
