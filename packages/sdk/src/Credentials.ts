import { type CredentialsInput, makeUpsert, missingTokensIn } from "@signalbox/core/Credentials"
import { Throttling } from "@signalbox/core/Policies"
import * as Effect from "effect/Effect"
import type { ClientBase } from "./ClientBase.ts"
import { ClientOptionError } from "./ClientOptionError.ts"
import type { BulkOptions } from "./ClientOptions.ts"
import { awaitable } from "./EventList.ts"
import { bulkOf } from "./internal/Bulk.ts"
import { outcomesOf } from "./internal/Outcomes.ts"
import { joins, makeUpsertRows, onClose, rowOf } from "./internal/UpsertMany.ts"
import { write } from "./internal/Write.ts"
import type { Runner } from "./internal/Runner.ts"
import type {
  MissingTokens,
  UpsertCredentials,
  UpsertInput,
  UpsertOutcome,
  UpsertOutcomes
} from "./UpsertCredentials.ts"

/** A client that upserts credentials, made by `createCredentialsClient`. */
export interface CredentialsClient extends ClientBase {
  /** Credentials of subscribers. */
  readonly credentials: {
    readonly upsert: UpsertCredentials
    /**
     * Upserts any number of credentials: `for await` yields one outcome per input, `await` resolves to all of them. A
     * failed call is an outcome and stops nothing, so check `ok`.
     *
     * Sends nothing until it is iterated or awaited. Reads inputs as fast as outcomes are consumed. Inputs of one subscriber and provider are sent in their order, one
     * request at a time; those that only append device tokens share a request, and then its outcome and call facts.
     * After an abort, `close()`, or an outcome `Unauthorized` it reads no more inputs, still yields the outcome of
     * every input taken, and then throws the signal's reason, `ClientClosed`, or the error of that outcome.
     */
    readonly upsertMany: (
      inputs: AsyncIterable<UpsertInput> | Iterable<UpsertInput>,
      options?: BulkOptions
    ) => UpsertOutcomes
  }
}

const isIterable = (inputs: unknown): boolean =>
  typeof inputs === "object" && inputs !== null && (Symbol.asyncIterator in inputs || Symbol.iterator in inputs)

/** The member `credentials` of a client. @internal */
export const credentialsOf = (runner: Runner): CredentialsClient["credentials"] => {
  const made = runner.build(makeUpsert)
  const upsert = write(
    runner,
    "credentials.upsert",
    (subscriberId: string, input: CredentialsInput) => made()(subscriberId, input),
    (subscriber, _, input): MissingTokens => {
      const missingTokens = missingTokensIn(input, subscriber)
      return missingTokens.length === 0 ? {} : { missingTokens }
    }
  )
  // Rows must not fail because they wait for the rate limit, or for each other.
  const upsertRow = write(runner, "credentials.upsert", (subscriberId: string, input: CredentialsInput) =>
    Effect.updateService(made()(subscriberId, input), Throttling, (policy) =>
      policy === "wait" ? "background" : policy
    )
  )
  return {
    upsert,
    upsertMany: (inputs, bulkOptions) => {
      const { callOptions, concurrency, order } = bulkOf(bulkOptions)
      if (!isIterable(inputs)) throw new ClientOptionError("inputs", "must be iterable")
      const { signal, ...own } = callOptions
      // A derived key belongs to an input and must not depend on what else was taken.
      const { idempotency = runner.options.idempotency } = own
      const mayJoin = typeof idempotency !== "object" || idempotency.derived === undefined
      const outcomes = outcomesOf({
        inputs,
        concurrency,
        isOrdered: order === "input",
        signal,
        onClose: (closed) => onClose(runner.scope, closed),
        rowOf,
        joins: (rows, next) => mayJoin && joins(rows, next),
        run: makeUpsertRows(upsertRow.result, own),
        endOf: (outcome) =>
          !outcome.ok && outcome.error.reason._tag === "Unauthorized" ? { reason: outcome.error } : undefined
      })
      const dispose = async () => {
        await outcomes.return()
      }
      const all = async () => {
        const list: Array<UpsertOutcome> = []
        for await (const outcome of outcomes) list.push(outcome)
        return list
      }
      // Platforms before 2024 have generators that are not disposable.
      return Object.assign(outcomes, awaitable(all), { [Symbol.asyncDispose]: dispose })
    }
  }
}
