import type { CredentialsInput } from "@signalbox/core/CredentialsInput"
import * as UpsertCredentialsOperation from "@signalbox/core/UpsertCredentials"
import type { Client, UpsertOutcome } from "../Client.ts"
import { ClientOptionError } from "../ClientOptionError.ts"
import { bulkOf } from "./Bulk.ts"
import { outcomesOf } from "./Outcomes.ts"
import { write } from "./Write.ts"
import type { Runner } from "./Runner.ts"

const isIterable = (inputs: unknown): boolean =>
  typeof inputs === "object" && inputs !== null && (Symbol.asyncIterator in inputs || Symbol.iterator in inputs)

/** The member `credentials` of a client. */
export const credentialsOf = (runner: Runner): Client["credentials"] => {
  const made = runner.build(UpsertCredentialsOperation.make)
  const upsert = write(runner, "credentials.upsert", (subscriberId: string, input: CredentialsInput) =>
    made()(subscriberId, input)
  )
  return {
    upsert,
    upsertMany: (inputs, bulkOptions) => {
      const { callOptions, concurrency, order } = bulkOf(bulkOptions)
      if (!isIterable(inputs)) throw new ClientOptionError("inputs", "must be an iterable or an async iterable")
      const outcomes = outcomesOf({
        inputs,
        concurrency,
        isOrdered: order === "input",
        signal: callOptions.signal,
        run: async (input, index, signal): Promise<UpsertOutcome> => {
          // Callers without types can pass nothing at all; the check of the request reports it.
          const { subscriberId, ...own } = input ?? {}
          // `Omit` by rest does not keep the union of providers, and keeps the symbol of `anyProvider`.
          const outcome = await upsert.result(subscriberId, own as typeof input, { ...callOptions, signal })
          return { ...outcome, index, input }
        }
      })
      const dispose = async () => {
        await outcomes.return()
      }
      // Platforms before 2024 have generators that are not disposable.
      return Object.assign(outcomes, { [Symbol.asyncDispose]: dispose })
    }
  }
}
