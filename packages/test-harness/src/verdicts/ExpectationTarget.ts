import type { AnyOperationName } from "@signalbox/core/Operations"
import * as Schema from "effect/Schema"
import { nameOf, OperationNameSchema, type OperationReference, withOperationName } from "../input/RouteNames.ts"
import type { JournalEntry } from "../journal/JournalEntry.ts"

/** Requests for an operation, a subscriber, a key, or a combination of these; a field left out matches anything. */
export interface ExpectationTarget {
  /** One of the service by its name, or one that `defineOperation` made. */
  readonly operation?: OperationReference
  readonly subscriberId?: string
  /** The idempotency key. */
  readonly key?: string
}

/** A target, or an operation. */
export type ExpectationTargetInput = OperationReference | ExpectationTarget

export interface NamedTarget extends Omit<ExpectationTarget, "operation"> {
  readonly operation?: AnyOperationName
}

/** The fields of a target, with their schemas. @internal */
export const targetFields = {
  operation: Schema.optionalKey(OperationNameSchema),
  subscriberId: Schema.optionalKey(Schema.String),
  key: Schema.optionalKey(Schema.String)
}

/** The schema of a target. @internal */
export const TargetInput = Schema.Struct(targetFields)

const isOperation = (input: ExpectationTargetInput): input is OperationReference =>
  typeof input === "string" || "~callable" in Object(input)

/** A target in its long form. */
export const targetOf = (input: ExpectationTargetInput = {}): NamedTarget =>
  isOperation(input) ? { operation: nameOf(input) } : withOperationName(input)

/** Whether a request, or a record of one, matches the target. */
export const matches = (
  { key, operation, subscriberId }: NamedTarget,
  of: Pick<JournalEntry, "operation" | "subscriberId" | "idempotencyKey">
): boolean =>
  (operation === undefined || operation === of.operation) &&
  (subscriberId === undefined || subscriberId === of.subscriberId) &&
  (key === undefined || key === of.idempotencyKey)

/** A target for messages, such as `messages.markAs of subscriber "ana"`. */
export const describeTarget = ({ key, operation, subscriberId }: NamedTarget, unnamed = "any operation"): string =>
  [
    operation ?? unnamed,
    ...(subscriberId === undefined ? [] : [`of subscriber ${JSON.stringify(subscriberId)}`]),
    ...(key === undefined ? [] : [`with key ${JSON.stringify(key)}`])
  ].join(" ")
