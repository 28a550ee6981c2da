import { type CredentialsInput, makeUpsert, missingTokensIn } from "@signalbox/core/Credentials"
import { Throttling } from "@signalbox/core/Policies"
import * as Effect from "effect/Effect"
import type { Client, MissingTokens, UpsertOutcome } from "../Client.ts"
import { ClientOptionError } from "../ClientOptionError.ts"
import { awaitable } from "../EventList.ts"
import { bulkOf } from "./Bulk.ts"
import { outcomesOf } from "./Outcomes.ts"
import { joins, makeUpsertRows, onClose, rowOf } from "./UpsertMany.ts"
import { write } from "./Write.ts"
import type { Runner } from "./Runner.ts"

const isIterable = (inputs: unknown): boolean =>
  typeof inputs === "object" && inputs !== null && (Symbol.asyncIterator in inputs || Symbol.iterator in inputs)

/** The member `credentials` of a client. */
export const credentialsOf = (runner: Runner): Client["credentials"] => {
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
