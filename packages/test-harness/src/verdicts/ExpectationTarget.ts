/**
 * Which requests an expectation is about.
 */
import type { OperationName } from "@signalbox/core/Operation"
import { checkNames } from "../OptionNames.ts"
import type { JournalEntry } from "../journal/JournalEntry.ts"

/** Requests for an operation, a subscriber, a key, or all of these; what is not given may be anything. */
export interface ExpectationTarget {
  readonly operation?: OperationName
  readonly subscriberId?: string
  /** The idempotency key. */
  readonly key?: string
}

/** A target, or the name of an operation. */
export type ExpectationTargetInput = OperationName | ExpectationTarget

const operations: ReadonlyArray<OperationName> = ["credentials.upsert", "messages.markAs", "events.list"]

/** A target in its long form. */
export const targetOf = (input: ExpectationTargetInput = {}): ExpectationTarget => {
  const target = typeof input === "string" ? { operation: input } : input
  checkNames("expectFake: target.", target, ["operation", "subscriberId", "key"])
  if (target.operation === undefined || operations.includes(target.operation)) return target
  throw new RangeError(
    `expectFake: operation must be one of ${operations.join(", ")}, not ${JSON.stringify(target.operation)}`
  )
}

/** Whether a request, or what is judged of it, is meant. */
export const isMeant = (
  { key, operation, subscriberId }: ExpectationTarget,
  of: Pick<JournalEntry, "operation" | "subscriberId" | "idempotencyKey">
): boolean =>
  (operation === undefined || operation === of.operation) &&
  (subscriberId === undefined || subscriberId === of.subscriberId) &&
  (key === undefined || key === of.idempotencyKey)

/** A target in words. */
export const describeTarget = ({ key, operation, subscriberId }: ExpectationTarget): string =>
  [
    operation ?? "any operation",
    ...(subscriberId === undefined ? [] : [`of subscriber ${JSON.stringify(subscriberId)}`]),
    ...(key === undefined ? [] : [`with key ${JSON.stringify(key)}`])
  ].join(" ")
