import type { Attempt } from "@signalbox/core/Attempt"
import type { ArrayEncoding } from "@signalbox/core/ArrayEncoding"
import type { DriftReport } from "@signalbox/core/DriftEntry"
import type { OperationName } from "@signalbox/core/Operations"
import type { OpenTelemetryTracer } from "./OpenTelemetryTracer.ts"

/** How often and how fast a call is repeated; what may be repeated at all is no option. */
export interface RetryOptions {
  /** Repeats of one call at most; 2 when absent. */
  readonly maxRetries?: number | undefined
  /** Upper bound of the first delay in milliseconds, doubled with each repeat; 200 when absent. */
  readonly baseDelayMs?: number | undefined
  /** Upper bound of every delay in milliseconds; 8,000 when absent. */
  readonly maxDelayMs?: number | undefined
  /** Whether `Retry-After` and `RateLimit-Reset` set the least delay; they do when absent. */
  readonly honourRetryAfter?: boolean | undefined
}

/** Time limits in milliseconds; `Infinity` is none. */
export interface TimeoutOptions {
  /** One HTTP exchange, its body included; 10,000 when absent. */
  readonly attemptMs?: number | undefined
  /** The whole call, its delays included; 60,000 when absent. */
  readonly callMs?: number | undefined
}

/** A key that is the same for the same request in the same scope, also after a restart of the process. */
export interface DerivedKey {
  /** What identifies the work, such as the id of a job in a queue. */
  readonly scope: string
  /** The next number after a definite failure, which the service may have stored; 0 when absent. */
  readonly generation?: number | undefined
}

/** Which idempotency key a call carries. */
export type IdempotencyOption =
  | "random"
  | "off"
  | {
      /** Keys from the content of the request; random ones when absent. */
      readonly derived?: DerivedKey | undefined
      /** Whether the service is known to answer a repeated key without doing the work again. */
      readonly serviceHonoursKeys?: boolean | undefined
    }

/** An attempt and the operation that it belongs to. */
export type AttemptOfCall = Attempt & { readonly operation: OperationName }

/** What a client and each of its calls can be given; the call has precedence. */
export interface BehaviourOptions {
  /** Repeats; `false` for none. */
  readonly retry?: false | RetryOptions | undefined
  /** Time limits. */
  readonly timeouts?: TimeoutOptions | undefined
  /** Idempotency keys; `"random"` when absent. */
  readonly idempotency?: IdempotencyOption | undefined
  /** `"strict"` fails a call on any drift; `"tolerant"` when absent. */
  readonly response?: "tolerant" | "strict" | undefined
  /** Whether calls wait when the service has said that no request is left; they do when absent. */
  readonly throttle?: boolean | undefined
  /** Is told what the service sent and the API document does not know. */
  readonly onDrift?: ((report: DriftReport) => void) | undefined
  /** Is told about each attempt, also the failed ones. */
  readonly onAttempt?: ((attempt: AttemptOfCall) => void) | undefined
}

/** What {@link createClient} needs. */
export interface ClientOptions extends BehaviourOptions {
  /** The API key of the environment, or a function that is asked for it once for each call (API document: Authentication). */
  readonly apiKey: string | (() => string | Promise<string>)
  /** Where the service is: may have a path, a trailing slash, or end in `/v1`. */
  readonly baseUrl: string | URL
  /** The maker's word in provider and origin identifiers on the wire; the document's `service` when absent. */
  readonly vendor?: string | undefined
  /** Sends the requests; the platform's `fetch` when absent. */
  readonly fetch?: typeof globalThis.fetch | undefined
  /**
   * Headers that go with every request, for a gateway in front of the service. Their values are taken for secrets and
   * shown nowhere, except short plain words under a name that does not speak of a secret.
   */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** How a filter with several values is written; `"repeat"` when absent. */
  readonly arrayEncoding?: ArrayEncoding | undefined
  /** Is given lines about attempts and calls, without secrets. */
  readonly debug?: ((line: string) => void) | undefined
  /** A tracer of `@opentelemetry/api`: one client span for each call. */
  readonly tracer?: OpenTelemetryTracer | undefined
}

/** What one call can be given. */
export interface CallOptions extends BehaviourOptions {
  /** Aborting rejects the call at once with the signal's reason, also between two attempts. */
  readonly signal?: AbortSignal | undefined
  /** The idempotency key of this call: 1 to 255 printable ASCII characters; by the option `idempotency` when absent. */
  readonly idempotencyKey?: string | undefined
}
