import * as CallOperation from "@signalbox/core/internal/services/CallOperation"
import type { DeclaredOperation, RequestParts } from "@signalbox/core/DeclaredOperation"
import type { CallError } from "@signalbox/core/Errors"
import type { Method } from "@signalbox/core/Operations"
import * as Effect from "effect/Effect"
import type { CallResult } from "./CallResult.ts"
import { ClientOptionError } from "./ClientOptionError.ts"
import type { CallOptions } from "./ClientOptions.ts"
import type { DisposableIterable } from "./EventList.ts"
import { callSite } from "./internal/CallSite.ts"
import { promised } from "./internal/Promised.ts"
import type { Runner } from "./internal/Runner.ts"

/** The arguments after an operation: its input, which may be omitted where all of its parts may, and options. */
export type CallArguments<Input> = {} extends Input
  ? readonly [input?: Input, options?: CallOptions]
  : readonly [input: Input, options?: CallOptions]

/** Calls an operation that the program declares; see `Client.call`. */
export interface CallDeclared {
  /**
   * Calls an operation that `defineOperation` made, like every other operation of the client. Rejects with a `CallError`.
   *
   * @example
   * ```ts
   * import { createClientFromEnv, defineOperation } from "@signalbox/sdk"
   *
   * const listRaw = defineOperation({ name: "events.raw", method: "GET", path: "/v1/notifications" })
   *
   * const client = createClientFromEnv()
   * await client.call(listRaw, { query: { limit: 10 } })
   * ```
   */
  <Input, Output>(operation: DeclaredOperation<Input, Output>, ...args: CallArguments<Input>): Promise<Output>
  /** Returns the outcome as a value; rejects only with a `ClientOptionError`. */
  readonly result: <Input, Output>(
    operation: DeclaredOperation<Input, Output>,
    ...args: CallArguments<Input>
  ) => Promise<CallResult<Output, CallError>>
  /** Iterates over the pages of an operation with `paginate`; without it there is one page. */
  readonly pages: <Input, Output>(
    operation: DeclaredOperation<Input, Output>,
    ...args: CallArguments<Input>
  ) => DisposableIterable<Output>
}

/** Sends one-off requests; see `Client.request`. */
export interface SendRequest {
  /**
   * Sends one request and resolves to the JSON of its response, unchecked; identifiers in its path must be encoded. Rejects with a `CallError`. A write is
   * retried only where its first request was not applied, or where the service honours idempotency keys.
   *
   * @example
   * ```ts
   * import { createClientFromEnv } from "@signalbox/sdk"
   *
   * const client = createClientFromEnv()
   * await client.request("GET", "/v1/notifications", { query: { limit: 10 } })
   * ```
   */
  <M extends Method>(
    method: M,
    path: `/${string}`,
    input?: RequestParts<"/", M>,
    options?: CallOptions
  ): Promise<unknown>
  /** Returns the outcome as a value; rejects only with a `ClientOptionError`. */
  readonly result: <M extends Method>(
    method: M,
    path: `/${string}`,
    input?: RequestParts<"/", M>,
    options?: CallOptions
  ) => Promise<CallResult<unknown, CallError>>
}

/** The runner's arguments for a call of an operation. */
const callOf = <Made>(
  make: (operation: DeclaredOperation, input: unknown) => Made,
  operation: DeclaredOperation,
  input: unknown,
  callOptions: CallOptions | undefined
): [string, Made, CallOptions] => {
  // Callers without types can pass anything.
  if (operation?.["~callable"] === undefined) throw new ClientOptionError("operation", "needs defineOperation")
  return [operation.name, make(operation, input), { retry: operation.retry, ...callOptions }]
}

/** The members `call` and `request` of a client. @internal */
export const operationsOf = (runner: Runner): { readonly call: CallDeclared; readonly request: SendRequest } => {
  const pages = (operation: DeclaredOperation, input: unknown, callOptions?: CallOptions) =>
    runner.iteration(
      ...callOf((...args) => Effect.sync(() => CallOperation.walk(...args)), operation, input, callOptions),
      callSite(pages)
    )
  const call = promised(runner, (operation: DeclaredOperation, input: unknown, callOptions?: CallOptions) =>
    callOf(CallOperation.call, operation, input, callOptions)
  )
  const request = promised(
    runner,
    (method: Method, path: `/${string}`, input?: RequestParts<"/">, callOptions?: CallOptions) => [
      "client.request",
      CallOperation.request(method, path, input),
      callOptions
    ]
  )
  // The generic types are the caller's: nothing depends on them at run time.
  return { call: Object.assign(call, { pages }) as CallDeclared, request: request as SendRequest }
}
