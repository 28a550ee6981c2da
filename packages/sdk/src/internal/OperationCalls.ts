import * as CallOperation from "@signalbox/core/internal/services/CallOperation"
import type { DeclaredOperation, RequestParts } from "@signalbox/core/DeclaredOperation"
import type { Method } from "@signalbox/core/Operations"
import * as Effect from "effect/Effect"
import type { Client } from "../Client.ts"
import { ClientOptionError } from "../ClientOptionError.ts"
import type { CallOptions } from "../ClientOptions.ts"
import { callSite } from "./CallSite.ts"
import { promised } from "./Promised.ts"
import type { Runner } from "./Runner.ts"

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

/** The members `call` and `request` of a client. */
export const operationsOf = (runner: Runner): Pick<Client, "call" | "request"> => {
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
  return { call: Object.assign(call, { pages }) as Client["call"], request: request as Client["request"] }
}
