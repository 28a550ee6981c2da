import type { ArrayEncoding } from "@signalbox/core/Connection"
import type { Attempt } from "@signalbox/core/Errors"
import type { RetryOptions } from "@signalbox/core/DeclaredOperation"
import type { DriftReport } from "@signalbox/core/Drift"
import type { AnyOperationName } from "@signalbox/core/Operations"
import type { OpenTelemetryMeter } from "./OpenTelemetryMeter.ts"
import type { OpenTelemetryTracer } from "./OpenTelemetryTracer.ts"

/** Time limits in milliseconds; `Infinity` means no limit. */
export interface TimeoutOptions {
  /** One HTTP exchange, including the body; 15,000 when absent. */
  readonly attemptMs?: number | undefined
  /** The whole call, including delays; 60,000 when absent. */
  readonly callMs?: number | undefined
}

/** A key derived from the request: the same request in the same scope has the same key, even after a restart. */
export interface DerivedKey {
  /**
   * Identifies the work, for example the id of a job in a queue. Name the environment, too, where several run the same
   * work: a service may keep keys for a whole organization.
   */
  readonly scope: string
  /** Increase it after a definite failure, because the service may have stored that response; 0 when absent. */
  readonly generation?: number | undefined
}

/** The idempotency key of a call. */
export type IdempotencyOption =
  | "random"
  | "off"
  | {
      /** Derives keys from the content of the request; random keys when absent. */
      readonly derived?: DerivedKey | undefined
      /** Whether the service is known to honour keys: it responds to a known key without doing the work again. */
      readonly serviceHonoursKeys?: boolean | undefined
    }

/** Headers of requests, or a function called once per call that returns them. */
export type HeadersOption =
  | Readonly<Record<string, string>>
  | (() => Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>)

/** An attempt and the call that it belongs to. */
export type AttemptOfCall = Attempt & {
  readonly operation: AnyOperationName
  /** The key of all attempts of the call, which its error or its result has, too; absent when keys are off. */
  readonly idempotencyKey?: string
}

/** Options of a client and of each call; those of the call take precedence. */
export interface BehaviourOptions {
  /**
   * Headers of requests, for a gateway in front of the service, or a function called once per call that returns them. Those
   * of a call are added to the client's, and replace the ones with the same name. Their values are treated as secrets and
   * never shown, except short plain words under a name that does not suggest a secret.
   */
  readonly headers?: HeadersOption | undefined
  /** Retries; `false` turns them off. */
  readonly retry?: false | RetryOptions | undefined
  /** Time limits. */
  readonly timeouts?: TimeoutOptions | undefined
  /** Idempotency keys; `"random"` when absent. */
  readonly idempotency?: IdempotencyOption | undefined
  /** `"strict"` fails a call whose response differs from the API document; `"tolerant"` when absent. */
  readonly response?: "tolerant" | "strict" | undefined
  /** Whether calls wait while the rate limit is exhausted; `true` when absent. */
  readonly throttle?: boolean | undefined
  /** Largest response body to read, in bytes after decompression; 64 MB when absent. */
  readonly maxResponseBytes?: number | undefined
  /** Called with the drift of a response: how it differs from the API document. */
  readonly onDrift?: ((report: DriftReport) => void) | undefined
  /** Called after each attempt, including failed ones, and one that an abort or `close()` interrupts. */
  readonly onAttempt?: ((attempt: AttemptOfCall) => void) | undefined
}

/** No value has this type: its name is what the compiler reports about a dispatcher for the wrong client. */
export interface DispatcherForNode {
  readonly dispatch: never
  readonly "needs createClient of @signalbox/sdk/node": never
}

/** Options of {@link createClient}. */
export interface ClientOptions extends BehaviourOptions {
  /** The API key of the environment, or a function called once per call that returns it (API document: Authentication). */
  readonly apiKey: string | (() => string | Promise<string>)
  /** Base URL of the service; may have a path, a trailing slash, or end in `/v1`. */
  readonly baseUrl: string | URL
  /** The vendor's name in provider and origin identifiers on the wire; the API document's `service` when absent. */
  readonly vendor?: string | undefined
  /** Sends the requests; the platform's `fetch` when absent. */
  readonly fetch?: typeof globalThis.fetch | undefined
  /** An option of the client of `@signalbox/sdk/node` only. */
  readonly dispatcher?: DispatcherForNode | undefined
  /**
   * Whether requests name this client: `user-agent` has its version and the runtime, and `x-signalbox-retry-count` the number
   * of retries before the request. `true` when absent; browsers send neither.
   */
  readonly identify?: boolean | undefined
  /** How a filter with several values is written; `"repeat"` when absent. */
  readonly arrayEncoding?: ArrayEncoding | undefined
  /**
   * How many values of one filter the service reads; a call with more fails with `InvalidRequest`, and nothing is sent.
   * No limit when absent. One service was seen to answer 500 to more than 20.
   */
  readonly maxFilterValues?: number | undefined
  /** Called with log lines about attempts and calls, without secrets. */
  readonly debug?: ((line: string) => void) | undefined
  /** Requests in progress at the same time; 256 when absent. More calls than that wait for their turn. */
  readonly maxConcurrency?: number | undefined
  /** A tracer of `@opentelemetry/api`; each call is one client span. */
  readonly tracer?: OpenTelemetryTracer | undefined
  /** Whether requests have the header `traceparent` with the call's span; `false` when absent. Needs a `tracer`. */
  readonly traceHeaders?: boolean | undefined
  /** A meter of `@opentelemetry/api`, for the duration, attempts and drift of calls. */
  readonly meter?: OpenTelemetryMeter | undefined
}

/** Options of one call. */
export interface CallOptions extends BehaviourOptions {
  /** Aborting rejects the call at once with the signal's reason, even between two attempts. */
  readonly signal?: AbortSignal | undefined
  /** The idempotency key of this call: 1 to 255 printable ASCII characters; the option `idempotency` applies when absent. */
  readonly idempotencyKey?: string | undefined
}

/** Options of bulk work. */
export interface BulkOptions extends Omit<CallOptions, "idempotencyKey"> {
  /** Concurrent calls, 1 to 100; 4 when absent. */
  readonly concurrency?: number | undefined
  /** Order of the outcomes: that of the inputs, or as calls finish; `"input"` when absent. */
  readonly order?: "input" | "completion" | undefined
}
