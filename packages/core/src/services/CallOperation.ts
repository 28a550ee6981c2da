/**
 * Calls of operations that the program declares, without a service.
 *
 * **When to use**: programs that must be small, such as a client that is not for Effect users. All others use the service
 * `Calls`.
 */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { DeclaredOperation, RequestParts } from "../call/DeclaredOperation.ts"
import { type CallServices, makeCall } from "../call/Call.ts"
import type { CallableOperation } from "../call/CallableOperation.ts"
import { writing } from "../call/Classify.ts"
import { queryOf } from "../call/BuildRequest.ts"
import { appliedTwice } from "../call/Retry.ts"
import { isPlainPath } from "../contract/PathTemplate.ts"
import type { Method } from "../contract/Operations.ts"
import { type Advise, adviseRead } from "../errors/Advice.ts"
import type { Reason } from "../errors/Reason.ts"
import { CallError } from "../errors/Errors.ts"
import { secretsUnderNames } from "../errors/SecretPositions.ts"
import { withPartKey } from "./PartKey.ts"

/** The input of a call; it may be omitted where all of its parts may. */
export type InputArgument<Input> = {} extends Input ? readonly [input?: Input] : readonly [input: Input]

/** A one-off request as an operation. Its path may have identifiers of people, so spans and metrics have no part of it. */
const oneOff = (method: Method, path: string): CallableOperation<RequestParts<"/"> | undefined, unknown> => ({
  name: "client.request",
  method,
  route: "/:path",
  empty: true,
  check: ({ body, query = {} } = {}, { arrayEncoding }) =>
    Effect.succeed({
      // Callers without types can pass anything.
      issues: isPlainPath(path)
        ? /[a-z]/.test(method)
          ? [{ path: "method", rule: "Expected capitals" }]
          : method === "GET" && body
            ? [{ path: "body", rule: "Expected none for a GET" }]
            : []
        : [{ path: "path", rule: "Expected an encoded path, no query" }],
      path: () => path + queryOf(query, arrayEncoding),
      parameters: query,
      body,
      secrets: () => secretsUnderNames([query, body]),
      unsafeToRetry: method === "GET" ? undefined : appliedTwice
    }),
  reader: () => (value) => Effect.succeed(Result.succeed({ value, unreadable: [], drift: [], driftCount: 0 }))
})

const send = <Input, Output>(operation: CallableOperation<Input, Output>, input: Input) =>
  Effect.flatMap(
    makeCall({
      operation,
      // A read never has a reason of writes.
      ...(operation.method === "GET" ? { advise: adviseRead as Advise<Reason> } : writing),
      makeError: (facts) => new CallError({ ...facts, operation: operation.name })
    }),
    (makeOne) => makeOne(input)
  )

/** Only `defineOperation` makes it. */
const callableOf = <Output>(operation: DeclaredOperation<unknown, Output>) =>
  operation["~callable"] as CallableOperation<unknown, Output>

/**
 * Calls an operation that the program declares; see `Calls.call`.
 */
export const call = <Input, Output>(
  operation: DeclaredOperation<Input, Output>,
  ...[input]: InputArgument<Input>
): Effect.Effect<Output, CallError, CallServices> => send(callableOf(operation), input)

/** Sends a one-off request; see `Calls.request`. */
export const request = <M extends Method>(
  method: M,
  path: `/${string}`,
  input?: RequestParts<"/", M>
): Effect.Effect<unknown, CallError, CallServices> => send(oneOff(method, path), input)

/** Starts a walk over pages: each run of the effect returns the next page, in an array; `undefined` after the last one. */
export const walk = <Input, Output>(
  operation: DeclaredOperation<Input, Output>,
  ...[first]: InputArgument<Input>
): Effect.Effect<ReadonlyArray<Output> | undefined, CallError, CallServices> => {
  // The input of the first page may be omitted only where all of its parts may.
  let input: Input | undefined = first ?? ({} as Input)
  let page = 0
  return Effect.suspend(() => {
    if (input === undefined) return Effect.undefined
    const current = input
    return Effect.map(withPartKey(send(callableOf(operation), current), page++), (output) => {
      input = operation.paginate?.(output, current)
      return [output]
    })
  })
}
