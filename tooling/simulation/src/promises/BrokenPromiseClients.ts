/**
 * Promise clients that are broken on purpose, each in one way.
 */
import { CallAborted, type CallOptions, type Client, ClientClosed, type UpsertOutcome } from "@signalbox/sdk"
import type { BrokenClient } from "../BrokenClients.ts"
import { type PromiseClientUnderTest, shippedPromises } from "./PromiseRun.ts"

type Broken = BrokenClient<PromiseClientUnderTest>

const changed =
  (change: (client: Client) => Partial<Client>): PromiseClientUnderTest =>
  (options) => {
    const client = shippedPromises(options)
    return { ...client, ...change(client) }
  }

type UpsertMany = Client["credentials"]["upsertMany"]

/** A client with a changed `upsertMany`. */
const withUpsertMany = (change: (upsertMany: UpsertMany) => UpsertMany): PromiseClientUnderTest =>
  changed(({ credentials }) => ({ credentials: { ...credentials, upsertMany: change(credentials.upsertMany) } }))

async function* mapped(
  outcomes: AsyncIterable<UpsertOutcome>,
  change: (outcome: UpsertOutcome) => ReadonlyArray<UpsertOutcome>
): AsyncGenerator<UpsertOutcome> {
  for await (const outcome of outcomes) yield* change(outcome)
}

/** A client whose failed upserts have a changed error. */
const withUpsertError = (change: (error: Error) => void): PromiseClientUnderTest =>
  changed(({ credentials }) => {
    const result: Client["credentials"]["upsert"]["result"] = async (...input) => {
      const outcome = await credentials.upsert.result(...input)
      if (!outcome.ok) change(outcome.error)
      return outcome
    }
    return { credentials: { ...credentials, upsert: Object.assign(credentials.upsert.bind(null), { result }) } }
  })

const withoutSignal = <Options extends CallOptions>(options: Options | undefined): Options =>
  // Only the signal differs.
  ({ ...options, signal: undefined }) as unknown as Options

/** Promise clients by their defect. */
export const brokenPromises: Readonly<Record<string, Broken>> = {
  "loses outcomes": {
    client: withUpsertMany(
      (upsertMany) =>
        (...input) =>
          mapped(upsertMany(...input), (one) => (one.index === 1 ? [] : [one]))
    ),
    finding: /returned the outcomes \[0\] for 2 inputs/u
  },
  "returns outcomes in any order": {
    client: withUpsertMany(
      (upsertMany) => (inputs, options) => upsertMany(inputs, { ...options, order: "completion" })
    ),
    finding: /returned the outcomes/u
  },
  "takes all inputs at once": {
    client: withUpsertMany((upsertMany) => (inputs, options) => {
      const all = Symbol.iterator in inputs ? [...inputs] : inputs
      return upsertMany(all, options)
    }),
    finding: /took an input while \d+ outcomes were missing/u
  },
  "ignores the concurrency limit": {
    client: withUpsertMany((upsertMany) => (inputs, options) => upsertMany(inputs, { ...options, concurrency: 99 })),
    finding: /concurrent calls, the limit is/u
  },
  "ignores an abort": {
    client: withUpsertMany((upsertMany) => (inputs, options) => upsertMany(inputs, withoutSignal(options))),
    finding: /after its abort/u
  },
  "ignores close()": {
    client: changed(() => ({ close: async () => {} })),
    finding: /after its close|accepted a call after close/u
  },
  "reports stopped calls as not sent": {
    client: withUpsertError((error) => {
      if (error instanceof CallAborted || error instanceof ClientClosed)
        Object.defineProperty(error, "sent", { value: false })
    }),
    finding: /reported that nothing was sent, but the service received a request/u
  },
  "reports stopped calls as not applied": {
    client: withUpsertError((error) => {
      if (error instanceof CallAborted) Object.defineProperty(error, "mayHaveBeenApplied", { value: false })
    }),
    finding: /reported that nothing was applied, but the service applied it/u
  },
  "retries device tokens after an unknown delivery": {
    client: (options) => shippedPromises({ ...options, idempotency: { serviceHonoursKeys: true } }),
    finding: /appended its device tokens 2 times/u
  },
  "sends no keys": {
    client: (options) => shippedPromises({ ...options, idempotency: "off" }),
    finding: /sent a write without a key/u
  },
  "writes secrets to its debug lines": {
    client: (options) => {
      options.debug?.(`using the key ${String(options.apiKey)}`)
      return shippedPromises(options)
    },
    finding: /shows a secret/u
  },
  "leaves a timer running": {
    client: (options) => {
      setTimeout(() => {}, 60_000)
      return shippedPromises(options)
    },
    finding: /left \d+ timers running/u
  },
  "leaves rejections unhandled": {
    client: (options) => {
      void Promise.reject(new Error("unhandled"))
      return shippedPromises(options)
    },
    finding: /rejections unhandled/u
  }
}
