/**
 * The report of a checked client about a call. Only the outcome is required; every other fact that a client can report
 * is compared with what the service received, sent and stored.
 */
import * as Schema from "effect/Schema"

/**
 * A record that a call returned: a subscriber, a message or an event, with the names of the API document. Each of its
 * fields that the response has too is compared.
 */
export type ReportedRecord = Readonly<Record<string, unknown>>

/** One HTTP exchange of a call. */
export interface ReportedAttempt {
  /** `null`: the client says that there was no status. */
  readonly status?: number | null
  /** `null`: the client says that there was no request id. */
  readonly requestId?: string | null
  readonly durationMs?: number
}

/**
 * The client's report about a call.
 *
 * - `ok`: the call succeeded.
 * - `failed`: the call failed, and the client claims that it changed nothing.
 * - `unknown`: the call failed, and it may have been applied.
 *
 * The other facts are optional: report those that your client tells its callers.
 */
export interface CallResult {
  readonly outcome: "ok" | "failed" | "unknown"
  /** The ids of the events that a listing returned. Without them and without `records`, missing records are not noticed. */
  readonly ids?: ReadonlyArray<string>
  /** The records that the call returned: each of their values is compared with the response. */
  readonly records?: ReadonlyArray<ReportedRecord>
  /** The client's error or output: it must show no secret. */
  readonly error?: unknown
  /** Status of the last response; `null` if there was none. */
  readonly status?: number | null
  /** The service's id of the last exchange, from the header `X-Request-Id`; `null` if there was none. */
  readonly requestId?: string | null
  readonly idempotencyKey?: string | null
  /** For a failed call: whether the change may have been applied. */
  readonly mayHaveBeenApplied?: boolean
  /** For a response that the client could not read: whether the service accepted the change. */
  readonly accepted?: boolean
  /** For a call without a response: whether a request may have reached the service. */
  readonly delivery?: "not-sent" | "unknown"
  /** Every HTTP exchange of the call, in order. */
  readonly attempts?: ReadonlyArray<ReportedAttempt>
  /** How many differences from the API document the client noticed in the response. */
  readonly drift?: number
  /** How many spans and metrics the call made. */
  readonly telemetry?: { readonly spans: number; readonly metrics: number }
}

const optional = Schema.optionalKey

/** The schema of a result as JSON. @internal */
export const CallResultSchema: Schema.Codec<CallResult> = Schema.Struct({
  outcome: Schema.Literals(["ok", "failed", "unknown"]).annotate({ expected: "ok, failed or unknown" }),
  ids: optional(Schema.Array(Schema.String)),
  records: optional(Schema.Array(Schema.Record(Schema.String, Schema.Unknown))),
  error: optional(Schema.Unknown),
  status: optional(Schema.NullOr(Schema.Int)),
  requestId: optional(Schema.NullOr(Schema.String)),
  idempotencyKey: optional(Schema.NullOr(Schema.String)),
  mayHaveBeenApplied: optional(Schema.Boolean),
  accepted: optional(Schema.Boolean),
  delivery: optional(Schema.Literals(["not-sent", "unknown"]).annotate({ expected: "not-sent or unknown" })),
  attempts: optional(
    Schema.Array(
      Schema.Struct({
        status: optional(Schema.NullOr(Schema.Int)),
        requestId: optional(Schema.NullOr(Schema.String)),
        durationMs: optional(Schema.Finite)
      })
    )
  ),
  drift: optional(Schema.Int),
  telemetry: optional(Schema.Struct({ spans: Schema.Int, metrics: Schema.Int }))
})
