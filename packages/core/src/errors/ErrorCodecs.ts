/**
 * Codecs of the errors, their reasons and attempts: JSON with every fact, and back to instances of the classes.
 *
 * **When to use**: to send an error over a wire, such as a queue or an RPC. `toJSON` is the shorter form for logs. The
 * error classes themselves need no schema.
 *
 * @example
 * ```ts
 * import * as Schema from "effect/Schema"
 * import * as ErrorCodecs from "@signalbox/core/ErrorCodecs"
 * import { NotFound } from "@signalbox/core/Errors"
 *
 * const sent = Schema.encodeSync(ErrorCodecs.NotFound)(new NotFound({ message: "404 Not Found", status: 404 }))
 * Schema.decodeSync(ErrorCodecs.NotFound)(sent) instanceof NotFound // => true
 * ```
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import * as SchemaTransformation from "effect/SchemaTransformation"
import { isRead, type OperationName, operationNames, type operations } from "../contract/Operations.ts"
import type * as AttemptModule from "./Attempt.ts"
import * as Reasons from "./Reason.ts"
import * as Errors from "./Errors.ts"

/** The codec of a class whose facts are its properties; the JSON is a struct of the facts with the `_tag`. */
const codecOf = <Tag extends string, Self extends { readonly _tag: Tag }, const Fields extends Schema.Struct.Fields>(
  tag: Tag,
  Class: new (facts: Schema.Struct.Type<Fields>) => Self,
  fields: Fields
) => {
  const names = ["_tag", ...Object.keys(fields)]
  type Facts = Schema.Schema.Type<Schema.TaggedStruct<Tag, Fields>>
  return Schema.TaggedStruct(tag, fields).pipe(
    Schema.decodeTo(
      Schema.instanceOf(Class),
      SchemaTransformation.transform<Self, Facts>({
        // A struct with a tag has all the facts, which the compiler cannot see while `Fields` is open.
        decode: (facts) => new Class(facts as never),
        encode: (error) =>
          // The constructor took exactly these facts; those that are absent have no key.
          Object.fromEntries(
            names.filter((name) => name in error).map((name) => [name, error[name as keyof Self]])
          ) as never
      })
    )
  )
}

/** Codec of an {@link AttemptModule.Attempt}. */
export const Attempt = Schema.Struct({
  number: Schema.Int,
  startedAt: Schema.Finite,
  durationMs: Schema.Finite,
  delayMs: Schema.Finite,
  retryReason: Schema.optionalKey(Schema.String),
  outcome: Schema.String,
  status: Schema.optionalKey(Schema.Int),
  requestId: Schema.optionalKey(Schema.String)
}).annotate({ identifier: "Attempt" }) satisfies Schema.Codec<AttemptModule.Attempt>

/** Codec of a {@link Reasons.FieldIssue}. */
export const FieldIssue = Schema.Struct({ path: Schema.String, rule: Schema.String }).annotate({
  identifier: "FieldIssue"
}) satisfies Schema.Codec<Reasons.FieldIssue>

const described = { message: Schema.String }

const body = {
  ...described,
  detail: Schema.optionalKey(Schema.String),
  fields: Schema.optionalKey(Schema.Array(FieldIssue)),
  body: Schema.optionalKey(Schema.String),
  retryAfterMs: Schema.optionalKey(Schema.Finite)
}

const response = { ...body, status: Schema.Int }

/** Codec of {@link Reasons.InvalidRequest}. */
export const InvalidRequest = codecOf("InvalidRequest", Reasons.InvalidRequest, {
  ...described,
  fields: Schema.Array(FieldIssue)
})

/** Codec of {@link Reasons.TransportFailure}. */
export const TransportFailure = codecOf("TransportFailure", Reasons.TransportFailure, {
  ...described,
  delivery: Schema.Literals(["not-sent", "unknown"]),
  code: Schema.optionalKey(Schema.String)
})

/** Codec of {@link Reasons.Timeout}. */
export const Timeout = codecOf("Timeout", Reasons.Timeout, {
  ...described,
  delivery: Schema.Literals(["not-sent", "unknown"]),
  scope: Schema.Literals(["attempt", "call"]),
  limitMs: Schema.Finite
})

/** Codec of {@link Reasons.Unauthorized}. */
export const Unauthorized = codecOf("Unauthorized", Reasons.Unauthorized, response)

/** Codec of {@link Reasons.PaymentRequired}. */
export const PaymentRequired = codecOf("PaymentRequired", Reasons.PaymentRequired, response)

/** Codec of {@link Reasons.Forbidden}. */
export const Forbidden = codecOf("Forbidden", Reasons.Forbidden, response)

/** Codec of {@link Reasons.NotFound}. */
export const NotFound = codecOf("NotFound", Reasons.NotFound, response)

/** Codec of {@link Reasons.PayloadTooLarge}. */
export const PayloadTooLarge = codecOf("PayloadTooLarge", Reasons.PayloadTooLarge, response)

/** Codec of {@link Reasons.RequestInFlight}. */
export const RequestInFlight = codecOf("RequestInFlight", Reasons.RequestInFlight, response)

/** Codec of {@link Reasons.IdempotencyKeyReused}. */
export const IdempotencyKeyReused = codecOf("IdempotencyKeyReused", Reasons.IdempotencyKeyReused, response)

/** Codec of {@link Reasons.Conflict}. */
export const Conflict = codecOf("Conflict", Reasons.Conflict, response)

/** Codec of {@link Reasons.Rejected}. */
export const Rejected = codecOf("Rejected", Reasons.Rejected, response)

/** Codec of {@link Reasons.UnexpectedStatus}. */
export const UnexpectedStatus = codecOf("UnexpectedStatus", Reasons.UnexpectedStatus, {
  ...body,
  status: Schema.optionalKey(Schema.Int)
})

/** Codec of {@link Reasons.RateLimited}. */
export const RateLimited = codecOf("RateLimited", Reasons.RateLimited, {
  ...body,
  status: Schema.optionalKey(Schema.Int)
})

/** Codec of {@link Reasons.ServerFailure}. */
export const ServerFailure = codecOf("ServerFailure", Reasons.ServerFailure, { ...response, replayed: Schema.Boolean })

/** Codec of {@link Reasons.MalformedResponse}. */
export const MalformedResponse = codecOf("MalformedResponse", Reasons.MalformedResponse, {
  ...response,
  accepted: Schema.optionalKey(Schema.Boolean),
  isCutOff: Schema.optionalKey(Schema.Boolean)
})

/** Codec of the reasons every operation can fail for. */
export const CommonReason = Schema.Union([
  InvalidRequest,
  TransportFailure,
  Timeout,
  Unauthorized,
  PaymentRequired,
  Forbidden,
  NotFound,
  PayloadTooLarge,
  Conflict,
  Rejected,
  RateLimited,
  ServerFailure,
  UnexpectedStatus,
  MalformedResponse
])

/** Codec of the reasons any call can fail for. */
export const Reason = Schema.Union([CommonReason, RequestInFlight, IdempotencyKeyReused])

const facts = {
  message: Schema.String,
  advice: Schema.String,
  mayHaveBeenApplied: Schema.Boolean,
  attempts: Schema.Array(Attempt),
  idempotencyKey: Schema.optionalKey(Schema.String),
  requestId: Schema.optionalKey(Schema.String),
  status: Schema.optionalKey(Schema.Int)
}

const factsOf = <Name extends OperationName, R extends Schema.Top>(operation: Name, reason: R) => ({
  ...facts,
  operation: Schema.Literal(operation),
  reason
})

/** A read never fails for the reasons of writes. */
type ReasonOf<Name extends OperationName> = (typeof operations)[Name]["method"] extends "GET"
  ? typeof CommonReason
  : typeof Reason

type ErrorOf<Name extends OperationName> = InstanceType<(typeof Errors.operationErrors)[Name]>

const operationCodec = <Name extends OperationName>(operation: Name) => {
  const Class = Errors.operationErrors[operation]
  // The compiler does not see which class and which reasons belong to an open `Name`.
  const reason = (isRead(operation) ? CommonReason : Reason) as ReasonOf<Name>
  return codecOf<ErrorOf<Name>["_tag"], ErrorOf<Name>, ReturnType<typeof factsOf<Name, ReasonOf<Name>>>>(
    Class.prototype.name as ErrorOf<Name>["_tag"],
    Class as never,
    factsOf(operation, reason)
  )
}

/** The codec of the error of each operation. */
export const operationErrors = Object.fromEntries(
  operationNames.map((name) => [name, operationCodec(name)])
  // One entry for each name, of its codec, which the types of `fromEntries` do not keep.
) as unknown as { readonly [Name in OperationName]: ReturnType<typeof operationCodec<Name>> }

/** Codec of {@link Errors.CallError}. */
export const CallError = codecOf("CallError", Errors.CallError, {
  ...facts,
  operation: Schema.String,
  reason: Reason
})

/** Codec of {@link Errors.MarkManyMessagesAsError}; the messages of the calls that succeeded are not part of it. */
export const MarkManyMessagesAsError = codecOf("MarkManyMessagesAsError", Errors.MarkManyMessagesAsError, {
  message: Schema.String,
  done: Schema.Array(Schema.String),
  failed: Schema.Array(Schema.String),
  notTried: Schema.Array(Schema.String),
  errors: Schema.NonEmptyArray(operationErrors["messages.markAs"])
})

/** Codec of any error of an operation. */
export const SignalboxError = Schema.Union([...Object.values(operationErrors), MarkManyMessagesAsError, CallError])
