/**
 * Calls of operations that the program declares, and one-off requests.
 *
 * **When to use**: for endpoints of the service that this library has no operation for. `CallOperation` is smaller where no
 * stream is needed.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import type { CallServices } from "../call/Call.ts"
import { capturePolicies } from "../call/CallRecord.ts"
import { CallState } from "../call/CallState.ts"
import type { DeclaredOperation, RequestParts } from "../call/DeclaredOperation.ts"
import type { Method } from "../contract/Operations.ts"
import { defined } from "../errors/Defined.ts"
import type { CallError } from "../errors/Errors.ts"
import * as RetryPolicy from "../policies/RetryPolicy.ts"
import { Connection } from "../transport/Connection.ts"
import { Transport } from "../transport/Transport.ts"
import { CallService } from "./CallService.ts"
import * as CallOperation from "./CallOperation.ts"

/** Calls of operations that the program declares. */
export interface CallsShape {
  /**
   * Calls an operation that `defineOperation` made, with its `retry` on top of the `RetryPolicy` in force.
   *
   * @example
   * ```ts
   * import * as Schema from "effect/Schema"
   * import { Calls } from "@signalbox/core/Calls"
   * import { defineOperation } from "@signalbox/core/DeclaredOperation"
   *
   * const createTopic = defineOperation({
   *   name: "topics.create",
   *   method: "POST",
   *   path: "/v1/topics",
   *   input: Schema.toStandardSchemaV1(Schema.Struct({ body: Schema.Struct({ key: Schema.String }) })),
   *   output: Schema.toStandardSchemaV1(Schema.Struct({ _id: Schema.String })),
   *   idempotent: true
   * })
   * const program = Calls.use((calls) => calls.call(createTopic, { body: { key: "news" } }))
   * // Effect<{ readonly _id: string }, CallError, Calls>
   * ```
   */
  readonly call: <Input, Output>(
    operation: DeclaredOperation<Input, Output>,
    ...input: CallOperation.InputArgument<Input>
  ) => Effect.Effect<Output, CallError>
  /** Walks over the pages of an operation with `paginate`. */
  readonly pages: <Input, Output>(
    operation: DeclaredOperation<Input, Output>,
    ...input: CallOperation.InputArgument<Input>
  ) => Stream.Stream<Output, CallError>
  /**
   * Sends one request without a declaration and returns the JSON of its response, unchecked. A write is retried only
   * where its first request was not applied, or where the service honours idempotency keys.
   *
   * @example
   * ```ts
   * import { Calls } from "@signalbox/core/Calls"
   *
   * const program = Calls.use((calls) =>
   *   calls.request("GET", "/v1/topics", { query: { limit: 10 } })
   * )
   * ```
   */
  readonly request: <M extends Method>(
    method: M,
    path: `/${string}`,
    input?: RequestParts<"/", M>
  ) => Effect.Effect<unknown, CallError>
}

/** Adds the retries of a declaration to the policy in force. */
const withRetry =
  ({ retry }: DeclaredOperation) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    retry === undefined
      ? effect
      : Effect.updateService(effect, RetryPolicy.RetryPolicy, (policy) =>
          retry === false ? RetryPolicy.none : { ...policy, ...defined(retry) }
        )

/**
 * Calls of operations that the program declares.
 */
export class Calls extends CallService<Calls, CallsShape>()(
  "signalbox/core/Calls",
  Effect.gen(function* () {
    const own = Context.pick(Transport, Connection, CallState)(yield* Effect.context<CallServices>())
    const policiesOf = yield* capturePolicies
    // Policies of a call have precedence, the services of this client do, too.
    const provided = <A, E>(call: Effect.Effect<A, E, CallServices>): Effect.Effect<A, E> =>
      Effect.updateContext(call, (atCall: Context.Context<never>) => Context.merge(policiesOf(atCall), own))
    return {
      call: (operation, ...input) => provided(withRetry(operation)(CallOperation.call(operation, ...input))),
      request: (method, path, input) => provided(CallOperation.request(method, path, input)),
      pages: (operation, ...input) =>
        Stream.suspend(() => {
          const next = provided(withRetry(operation)(CallOperation.walk(operation, ...input)))
          return Stream.paginate(undefined, () =>
            Effect.map(next, (page) =>
              page === undefined ? [[], Option.none()] : ([page, Option.some(undefined)] as const)
            )
          )
        })
    } satisfies CallsShape
  })
) {}
