/**
 * The forms that a fault can take. Everything the fake knows about a form is in its record here: its fields, the points
 * at which it can happen, its wording and its effect. A new form needs its fields in {@link FaultForms}, its record in
 * {@link formRecords} and a function in `Fault.ts` that builds it.
 */
import * as Schema from "effect/Schema"
import type { AnyOperationName } from "@signalbox/core/Operations"
import type { OperationContext } from "../operations/OperationResponse.ts"
import { integer, Milliseconds, NonEmpty } from "../input/Input.ts"
import type { ConnectionFailure, Delivery, WireResponse } from "../wire/Delivery.ts"
import type { FaultPoint } from "./FaultInjector.ts"
import { isNestedTooDeep, nestingRule } from "../wire/Nesting.ts"
import type * as Random from "../random/Random.ts"
import { driftedText, type DriftKind } from "./DriftedBody.ts"
import { FaultHeaders, HeaderValue } from "./FaultHeaders.ts"
import {
  bodilessStatuses,
  changeBody,
  changeJson,
  htmlResponse,
  rateLimitedResponse,
  statusResponse
} from "./FaultResponse.ts"
import { describeLatency, drawLatency, type Latency, LatencySchema } from "./Latency.ts"

/** Each form: its fields, and the points at which it can happen. */
export interface FaultForms {
  /** Delays the request. */
  readonly Latency: { readonly fields: { readonly latency: Latency }; readonly point: FaultPoint }
  /** Another response than the service's. */
  readonly Status: {
    readonly fields: {
      readonly status: number
      /** A JSON value, or a string sent verbatim; default: the environment's own error body. */
      readonly body?: unknown
      /** Header values in Latin-1. Headers that describe the transfer, such as `content-length`, cannot be set. */
      readonly headers?: Readonly<Record<string, string>>
    }
    readonly point: FaultPoint
  }
  /** A response 429 with the headers of a rate limit. */
  readonly RateLimited: {
    readonly fields: {
      /** The wait before the next request, sent as `Retry-After`; `"absent"` sends none. */
      readonly retryAfterMs: number | "absent"
      /** The form of `Retry-After`. Default `"seconds"`. */
      readonly as?: "seconds" | "http-date"
    }
    readonly point: FaultPoint
  }
  /** The HTML page of a gateway. */
  readonly Html: { readonly fields: { readonly status: number }; readonly point: FaultPoint }
  /** A refused connection. */
  readonly Refuse: { readonly fields: object; readonly point: "received" }
  /** A connection that fails before the first byte of a response. */
  readonly NoResponse: { readonly fields: { readonly failure: ConnectionFailure }; readonly point: FaultPoint }
  /** A body that arrives in small pieces: some bytes after each wait on the environment's clock. */
  readonly SlowBody: {
    readonly fields: { readonly bytes: number; readonly everyMs: number }
    readonly point: "answering"
  }
  /** A connection that fails after some bytes of the body. */
  readonly CutBody: {
    readonly fields: { readonly afterBytes: number; readonly failure: ConnectionFailure }
    readonly point: "answering"
  }
  /** A complete body that is not valid JSON. */
  readonly MalformedJson: { readonly fields: object; readonly point: "answering" }
  /** Another content type. */
  readonly ContentType: { readonly fields: { readonly contentType: string }; readonly point: "answering" }
  /**
   * A body that departs from the contract, at the first place that fits or at `field`: a name at any place, or a path such
   * as `data[1].jobs[].type`, in which `[]` is the first element that fits.
   */
  readonly Drift: {
    readonly fields: { readonly kind: DriftKind; readonly field?: string }
    readonly point: "answering"
  }
}

export type FormName = keyof FaultForms

export type FormOf<Name extends FormName> = { readonly _tag: Name } & FaultForms[Name]["fields"]

export type FaultForm = { readonly [Name in FormName]: FormOf<Name> }[FormName]

type Effect<Name extends FormName> =
  | { readonly _tag: "Delay"; readonly delayMs: (form: FormOf<Name>, random: Random.Stream) => number }
  | { readonly _tag: "Respond"; readonly respond: (form: FormOf<Name>, context: OperationContext) => WireResponse }
  | { readonly _tag: "Fail"; readonly failure: (form: FormOf<Name>) => ConnectionFailure | "refuse" }
  /** `undefined` where the delivery has no place for the change. */
  | { readonly _tag: "Change"; readonly change: (form: FormOf<Name>, delivery: Delivery) => Delivery | undefined }

/** Faults of one slot exclude each other on the same request: the fault added first applies. */
export type Slot = "response" | "transport"

/** Everything the fake knows about a form. @internal */
export interface FormRecord<Name extends FormName> {
  /** How `Fault` builds it, for the documentation. */
  readonly example: string
  /** The effect in one sentence, for the documentation. */
  readonly summary: string
  readonly schema: Schema.Codec<FormOf<Name>>
  /** A fault that names no point happens at the first. */
  readonly points: readonly [FaultForms[Name]["point"], ...ReadonlyArray<FaultForms[Name]["point"]>]
  /** Lower ranks happen first at one point. */
  readonly rank: number
  readonly slot?: Slot
  readonly describe: (form: FormOf<Name>) => string
  readonly effect: Effect<Name>
}

const everywhere = ["received", "validated", "committed", "answering"] as const
const whileAnswering = ["answering"] as const

const statusCode = Schema.Int.check(Schema.isBetween({ minimum: 200, maximum: 599 }, { expected: "200 to 599" }))
const failure = Schema.Literals(["reset", "close", "hang", "garbage"])
// An HTTP date has a year of four digits.
const retryAfterMs = Schema.Finite.check(
  Schema.isBetween(
    { minimum: 0, maximum: 100_000_000_000_000 },
    { expected: "milliseconds from 0 to 100000000000000, or absent" }
  )
)

const isJson = (value: unknown): boolean => {
  try {
    const json = JSON.stringify(value)
    return value === undefined || (json !== undefined && !isNestedTooDeep(json))
  } catch {
    return false
  }
}

/** A body that can still be sent later. */
const body = Schema.Unknown.check(Schema.makeFilter(isJson, { expected: `a JSON value, ${nestingRule}` }))

/** The record of each form. @internal */
export const formRecords: { readonly [Name in FormName]: FormRecord<Name> } = {
  Latency: {
    example: "latency(200)",
    summary: "delays the request; also `uniform` and `lognormal`",
    schema: Schema.TaggedStruct("Latency", { latency: LatencySchema }),
    points: everywhere,
    rank: 0,
    describe: ({ latency }) => describeLatency(latency),
    effect: { _tag: "Delay", delayMs: ({ latency }, random) => drawLatency(latency, random) }
  },
  Status: {
    example: "status(503, { body, headers })",
    summary: "another response",
    schema: Schema.TaggedStruct("Status", {
      status: statusCode,
      body: Schema.optionalKey(body),
      headers: Schema.optionalKey(FaultHeaders)
    }).check(
      Schema.makeFilter((form) => form.body === undefined || !bodilessStatuses.has(form.status), {
        expected: "without a body where the status is 204, 205 or 304"
      })
    ),
    points: everywhere,
    rank: 1,
    slot: "response",
    describe: ({ status }) => `status ${status}`,
    effect: { _tag: "Respond", respond: statusResponse }
  },
  RateLimited: {
    example: "rateLimited({ retryAfterMs: 2000 })",
    summary: "429 with the headers of a rate limit",
    schema: Schema.TaggedStruct("RateLimited", {
      retryAfterMs: Schema.Union([retryAfterMs, Schema.Literal("absent")]),
      as: Schema.optionalKey(Schema.Literals(["seconds", "http-date"]))
    }),
    points: everywhere,
    rank: 1,
    slot: "response",
    describe: () => "rate limit",
    effect: { _tag: "Respond", respond: rateLimitedResponse }
  },
  Html: {
    example: "html(502)",
    summary: "the HTML page of a gateway",
    schema: Schema.TaggedStruct("Html", { status: statusCode }),
    points: everywhere,
    rank: 1,
    slot: "response",
    describe: ({ status }) => `HTML page ${status}`,
    effect: { _tag: "Respond", respond: htmlResponse }
  },
  // A body is known to be JSON only while its content type says so, so its content changes before its content type.
  Drift: {
    example: "drift({ kind, field })",
    summary: "a body that departs from the contract",
    schema: Schema.TaggedStruct("Drift", {
      kind: Schema.Literals(["unknown-enum-value", "unknown-field", "missing-field", "null"]),
      field: Schema.optionalKey(NonEmpty)
    }),
    points: whileAnswering,
    rank: 2,
    describe: ({ field, kind }) => (field === undefined ? kind : `${kind} in ${field}`),
    effect: {
      _tag: "Change",
      change: (form, delivery) =>
        changeJson(delivery, (text, status) => (status < 300 ? driftedText(text, form) : undefined))
    }
  },
  MalformedJson: {
    example: "malformedJson()",
    summary: "a complete body that is not valid JSON",
    schema: Schema.TaggedStruct("MalformedJson", {}),
    points: whileAnswering,
    rank: 3,
    describe: () => "malformed JSON",
    effect: { _tag: "Change", change: (_form, delivery) => changeJson(delivery, (text) => [`${text.slice(0, -1)},`]) }
  },
  ContentType: {
    example: 'contentType("text/html")',
    summary: "another content type",
    schema: Schema.TaggedStruct("ContentType", {
      contentType: HeaderValue.check(Schema.isMinLength(1, { expected: "a non-empty string" }))
    }),
    points: whileAnswering,
    rank: 4,
    describe: ({ contentType }) => `content type ${contentType}`,
    effect: {
      _tag: "Change",
      change: ({ contentType }, delivery) =>
        changeBody(delivery, ({ delivery, response }) => ({
          ...delivery,
          response: { ...response, headers: { ...response.headers, "content-type": contentType } }
        }))
    }
  },
  SlowBody: {
    example: "slowBody({ bytes, everyMs })",
    summary: "a body in small pieces",
    schema: Schema.TaggedStruct("SlowBody", { bytes: integer(1), everyMs: Milliseconds }),
    points: whileAnswering,
    rank: 5,
    slot: "transport",
    describe: ({ bytes, everyMs }) => `slow body of ${bytes} bytes every ${everyMs} ms`,
    effect: {
      _tag: "Change",
      change: ({ bytes, everyMs }, delivery) =>
        changeBody(delivery, ({ response }) => ({ _tag: "Slow", response, bytes, everyMs }))
    }
  },
  CutBody: {
    example: "cutBody({ afterBytes, failure })",
    summary: "an incomplete body",
    schema: Schema.TaggedStruct("CutBody", { afterBytes: integer(0), failure }),
    points: whileAnswering,
    rank: 5,
    slot: "transport",
    describe: (form) => `${form.failure} after ${form.afterBytes} bytes of the body`,
    effect: {
      _tag: "Change",
      change: (form, delivery) =>
        changeBody(delivery, ({ body, response }) =>
          body.bytes().length > form.afterBytes
            ? { _tag: "Cut", response, afterBytes: form.afterBytes, failure: form.failure }
            : undefined
        )
    }
  },
  NoResponse: {
    example: "reset()`, `close()`, `hang()`, `garbage()",
    summary: "no response, in four ways",
    schema: Schema.TaggedStruct("NoResponse", { failure }),
    points: everywhere,
    rank: 5,
    slot: "transport",
    describe: (form) => form.failure,
    effect: { _tag: "Fail", failure: (form) => form.failure }
  },
  Refuse: {
    example: "refuse()",
    summary: "a refused connection; over HTTP use `server.down()`",
    schema: Schema.TaggedStruct("Refuse", {}),
    points: ["received"],
    rank: 5,
    slot: "transport",
    describe: () => "refused connection",
    effect: { _tag: "Fail", failure: () => "refuse" }
  }
}

export const formNames = Object.keys(formRecords) as ReadonlyArray<FormName> // keys of a literal

/** The record of a form. @internal */
export const recordOf = <Name extends FormName>({ _tag }: { readonly _tag: Name }): FormRecord<Name> =>
  formRecords[_tag]

/** The points at which a form can happen; the first is the default. */
export const pointsOf = (name: FormName): ReadonlyArray<FaultPoint> => formRecords[name].points

/** A fault. */
export interface Fault {
  readonly form: FaultForm
  /** The point of the request at which it happens. */
  readonly point: FaultPoint
  /** Only requests for this operation. */
  readonly operation?: AnyOperationName
  /** Only the nth attempt of a call, counted from 1. */
  readonly attempt?: number
  /** Only the nth request of the environment, counted from 1. */
  readonly request?: number
  /** Only requests with this idempotency key. */
  readonly key?: string
  /** The chance that it happens, from 0 to 1, drawn from the seed of the environment. */
  readonly probability?: number
  /** How often it happens at most. Default: once; `"always"` with a probability. */
  readonly times?: number | "always"
}
