import { Credentials } from "@signalbox/core/Credentials"
import { Events } from "@signalbox/core/Events"
import { Messages } from "@signalbox/core/Messages"
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { CallAborted } from "./CallAborted.ts"
import type {
  BulkOptions,
  Client,
  ListEvents,
  MarkManyMessagesAs,
  MarkMessagesAs,
  MarkReport,
  UpsertCredentials,
  UpsertInput,
  UpsertOutcome
} from "./Client.ts"
import { ClientClosed } from "./ClientClosed.ts"
import { ClientOptionError } from "./ClientOptionError.ts"
import type { CallOptions, ClientOptions } from "./ClientOptions.ts"
import { makeEventList } from "./EventList.ts"
import { outcomesOf } from "./internal/Outcomes.ts"
import { makeRunner } from "./internal/Runner.ts"
import { checkCallOptions } from "./internal/Settings.ts"

const standardConcurrency = 4
const concurrencyLimit = 100

/** Takes what only bulk work knows off the options, after a check. */
const bulkOf = ({ concurrency = standardConcurrency, order = "input", ...callOptions }: BulkOptions) => {
  if (!Number.isInteger(concurrency) || concurrency < 1 || concurrency > concurrencyLimit) {
    throw new ClientOptionError("concurrency", `must be a whole number from 1 to ${concurrencyLimit}`)
  }
  if (order !== "input" && order !== "completion") {
    throw new ClientOptionError("order", 'must be "input" or "completion"')
  }
  checkCallOptions(callOptions)
  return { concurrency, order, callOptions }
}

/**
 * Makes a client.
 *
 * A wrong option throws at once a `ClientOptionError` that names it. Nothing is sent before the first call.
 *
 * @example
 * ```ts
 * import { createClient } from "@signalbox/sdk"
 * import { createFake } from "@signalbox/test-harness"
 *
 * const fake = createFake()
 * await using client = createClient({ apiKey: fake.apiKey, baseUrl: fake.baseUrl, fetch: fake.fetch })
 * const page = await client.events.list({ limit: 5 })
 * page.data.length // => 5
 * ```
 */
export const createClient = (options: ClientOptions): Client => {
  const { call, close, contextOf, iteration, noteFailure, rateLimit, result, services, start } = makeRunner(options)
  const credentials = Context.get(services, Credentials)
  const messages = Context.get(services, Messages)
  const events = Context.get(services, Events)

  const upsert: UpsertCredentials = Object.assign(
    ((subscriberId, input, callOptions) =>
      call("credentials.upsert", () => credentials.upsert(subscriberId, input), callOptions)) satisfies (
      ...parameters: Parameters<UpsertCredentials>
    ) => ReturnType<UpsertCredentials>,
    {
      result: ((subscriberId, input, callOptions) =>
        result(
          "credentials.upsert",
          () => credentials.upsert(subscriberId, input),
          callOptions
        )) satisfies UpsertCredentials["result"]
    }
  )

  const upsertMany = (
    inputs: AsyncIterable<UpsertInput> | Iterable<UpsertInput>,
    bulkOptions: BulkOptions = {}
  ): AsyncIterable<UpsertOutcome> => {
    const { callOptions, concurrency, order } = bulkOf(bulkOptions)
    return outcomesOf({
      inputs,
      concurrency,
      isOrdered: order === "input",
      signal: callOptions.signal,
      run: async (input, index, signal): Promise<UpsertOutcome> => {
        const { subscriberId, ...own } = input
        // `Omit` by rest does not keep the union of providers, and keeps the mark of `anyProvider`, which is a symbol.
        const outcome = await upsert.result(subscriberId, own as typeof input, { ...callOptions, signal })
        return { ...outcome, index, input }
      }
    })
  }

  const markAs: MarkMessagesAs = Object.assign(
    ((subscriberId, input, callOptions) =>
      call("messages.markAs", () => messages.markAs(subscriberId, input), callOptions)) satisfies (
      ...parameters: Parameters<MarkMessagesAs>
    ) => ReturnType<MarkMessagesAs>,
    {
      result: ((subscriberId, input, callOptions) =>
        result(
          "messages.markAs",
          () => messages.markAs(subscriberId, input),
          callOptions
        )) satisfies MarkMessagesAs["result"]
    }
  )

  const markManyResult: MarkManyMessagesAs["result"] = async (subscriberId, messageIds, mark, bulkOptions = {}) => {
    const { callOptions, concurrency } = bulkOf(bulkOptions)
    let report: MarkReport = { done: [], failed: [], notTried: [...new Set(messageIds)] }
    let ended = () => {}
    const end = new Promise<void>((resolve) => {
      ended = resolve
    })
    const marking = messages.markManyAs(subscriberId, messageIds, mark, {
      concurrency,
      onEnd: (final) => {
        report = final
        ended()
      }
    })
    const context = contextOf("messages.markAs", callOptions)
    const begun = !callOptions.signal?.aborted
    try {
      const exit = await start(Effect.provideContext(marking, context), callOptions.signal)
      if (Exit.isSuccess(exit)) return { ok: true, value: exit.value, report }
      const failure = exit.cause.reasons.find(Cause.isFailReason)
      if (failure === undefined) throw Cause.squash(exit.cause)
      noteFailure(failure.error)
      return { ok: false, error: failure.error, report }
    } catch (error) {
      if (error instanceof ClientClosed) return { ok: false, error, report }
      if (!callOptions.signal?.aborted) throw error
      // What became of the messages is known when the calls under way have ended.
      if (begun) await end
      return { ok: false, error: new CallAborted(callOptions.signal.reason), report }
    }
  }

  const markManyAs: MarkManyMessagesAs = Object.assign(
    (async (subscriberId, messageIds, mark, bulkOptions = {}) => {
      const { callOptions, concurrency } = bulkOf(bulkOptions)
      return call(
        "messages.markAs",
        () => messages.markManyAs(subscriberId, messageIds, mark, { concurrency }),
        callOptions
      )
    }) satisfies (...parameters: Parameters<MarkManyMessagesAs>) => ReturnType<MarkManyMessagesAs>,
    { result: markManyResult }
  )

  const listResult: ListEvents["result"] = (filters, callOptions) =>
    result("events.list", () => events.list(filters), callOptions)

  const list: ListEvents = Object.assign(
    ((filters, callOptions?: CallOptions) =>
      makeEventList({
        page: () => call("events.list", () => events.list(filters), callOptions),
        events: () => iteration("events.list", () => events.stream(filters), callOptions),
        pages: (walk) => iteration("events.list", () => events.pages(filters, walk), callOptions),
        result: () => listResult(filters, callOptions)
      })) satisfies (...parameters: Parameters<ListEvents>) => ReturnType<ListEvents>,
    { result: listResult }
  )

  return {
    credentials: { upsert, upsertMany },
    messages: { markAs, markManyAs },
    events: { list },
    get rateLimit() {
      return rateLimit()
    },
    close,
    [Symbol.asyncDispose]: close
  }
}
