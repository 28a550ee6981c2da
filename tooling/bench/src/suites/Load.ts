import { redactTextOf } from "@signalbox/core/Redaction"
import { createClient } from "@signalbox/sdk"
import { type Findings, type Row, valueRow } from "../Row.ts"
import { startServer } from "../ServerProcess.ts"

const silentServer = new URL("../processes/silentServer.ts", import.meta.url)

const times = <A>(count: number, make: () => A): ReadonlyArray<A> => Array.from({ length: count }, make)

const connectionsOf = async (baseUrl: string): Promise<number> =>
  Number(await (await fetch(`${baseUrl}/connections`)).text())

const deadlineMs = 300

/** How long after its deadline each of many concurrent calls ends, in milliseconds. */
const lateness = (call: () => Promise<unknown>): Promise<ReadonlyArray<number>> =>
  Promise.all(
    times(1000, async () => {
      const start = performance.now()
      await call()
      return performance.now() - start - deadlineMs
    })
  )

/** How far many calls to a silent service overshoot their deadline, compared with bare `fetch` and its own timeouts. */
const overshoot = async (baseUrl: string): Promise<ReadonlyArray<Row>> => {
  const bare = await lateness(() => fetch(baseUrl, { signal: AbortSignal.timeout(deadlineMs) }).catch(() => undefined))
  await using client = createClient({ apiKey: "key", baseUrl, timeouts: { callMs: deadlineMs } })
  const late = await lateness(() => client.events.list.result())
  const baseline = valueRow("load/fetch-overshoot", "1,000 bare fetches, time after 300 ms", "ms", bare)
  return [baseline, valueRow("load/overshoot", "1,000 calls of the sdk, time after 300 ms", "ms", late, baseline)]
}

/** How many connections many calls open that are aborted together. */
const sockets = async (baseUrl: string): Promise<Row> => {
  // Long timeouts: a slow machine must not start the calls that wait for their turn.
  const timeouts = { attemptMs: 60_000, callMs: 60_000 }
  await using client = createClient({ apiKey: "key", baseUrl, timeouts })
  const before = await connectionsOf(baseUrl)
  const controller = new AbortController()
  const calls = times(10_000, () => client.events.list.result({}, { signal: controller.signal }))
  await new Promise((resolve) => setTimeout(resolve, 500))
  controller.abort()
  await Promise.all(calls)
  const opened = (await connectionsOf(baseUrl)) - before
  return valueRow("load/sockets", "10,000 calls aborted after 500 ms: connections opened", "count", opened)
}

const entry = {
  message: "the push token fkQ3v7:APA91bHun4MxP5egoKMwt2KZFBaFUH-1RYqx was not accepted for user-7",
  url: "https://hooks.slack.com/services/T0000/B0000/XXXXXXXXXXXXXXXXXXXXXXXX",
  apiKey: "key=0123456789abcdef0123456789abcdef"
}

/** The time it takes to remove secrets from a large response body, compared with reading it. */
const redaction = (): ReadonlyArray<Row> => {
  const text = JSON.stringify(times(450, () => entry))
  const timed = (run: () => unknown): number => {
    const start = performance.now()
    run()
    return performance.now() - start
  }
  const rounds = times(60, () => ({
    parse: timed(() => JSON.parse(text)),
    redact: timed(() => redactTextOf(text, ["key-of-the-benchmark"]))
  })).slice(20)
  const baseline = valueRow(
    "load/parse",
    "JSON.parse of 100 kB",
    "ms",
    rounds.map(({ parse }) => parse)
  )
  const label = "secrets removed from a body of 100 kB"
  return [
    baseline,
    valueRow(
      "load/redaction",
      label,
      "ms",
      rounds.map(({ redact }) => redact),
      baseline
    )
  ]
}

/** Many calls at once, and large bodies. */
export const load = async (): Promise<Findings> => {
  const silent = await startServer(silentServer)
  try {
    return { rows: [...(await overshoot(silent.baseUrl)), await sockets(silent.baseUrl), ...redaction()] }
  } finally {
    silent.close()
  }
}
