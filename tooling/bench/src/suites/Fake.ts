import { isFakeBuilt, startFake } from "../FakeExecutable.ts"
import { sendLoad } from "../Load.ts"
import { collect, summarise } from "../Measure.ts"
import { collectApart } from "../Rounds.ts"
import type { Findings, Row } from "../Row.ts"
import { timedRows, valueRow } from "../Row.ts"
import { startServer } from "../ServerProcess.ts"
import { residentMegabytes } from "../Terminal.ts"

const inProcess = new URL("../processes/fake.ts", import.meta.url)
const sweepProcess = new URL("../processes/sweep.ts", import.meta.url)
const bareServer = new URL("../processes/bareServer.ts", import.meta.url)
const startRounds = 11
const loadRounds = 15
const requestsOfRound = 4_000
const requestsOfMemory = 100_000
const connections = 10

const messageId = "64b5f0c2a1d2e3f4a5b6c7d8"
const smallBody = JSON.stringify({ messageId, markAs: "read" })
/** 10 kB. */
const largeBody = JSON.stringify({ messageId: Array.from({ length: 370 }, () => messageId), markAs: "read" })

const markAs =
  (subscriberId: string, apiKey: string, body = smallBody) =>
  (index: number) =>
    [
      `POST /v1/subscribers/${encodeURIComponent(subscriberId)}/messages/mark-as HTTP/1.1`,
      "host: 127.0.0.1",
      `authorization: ApiKey ${apiKey}`,
      "content-type: application/json",
      `content-length: ${Buffer.byteLength(body)}`,
      `idempotency-key: bench-${index}`,
      "",
      body
    ].join("\r\n")

const firstAnswer = async (baseUrl: string, apiKey: string) => {
  const response = await fetch(`${baseUrl}/v1/notifications`, { headers: { authorization: `ApiKey ${apiKey}` } })
  await response.arrayBuffer()
}

const timed = async (run: () => Promise<() => void | Promise<void>>) => {
  const start = performance.now()
  const close = await run()
  const wall = performance.now() - start
  await close()
  return { wall }
}

const starts = async (): Promise<ReadonlyArray<Row>> => {
  // Without a build there is no executable; its budget then says that it was not measured.
  if (!isFakeBuilt()) return []
  const bare = () =>
    timed(async () => {
      const server = await startServer(bareServer)
      await firstAnswer(server.baseUrl, server.apiKey)
      return server.close
    })
  const executable = () =>
    timed(async () => {
      const server = await startFake(["--empty"])
      await firstAnswer(server.baseUrl, server.apiKey)
      return server.close
    })
  const measured = await collect(startRounds, [
    async () => ({ bare: await bare() }),
    async () => ({ executable: await executable() })
  ])
  return timedRows(measured, [
    { id: "fake/start-bare", label: "spawn to first answer, bare node:http", contestant: "bare" },
    {
      id: "fake/start",
      label: "spawn to first answer, signalbox-fake",
      contestant: "executable",
      baseline: "fake/start-bare"
    }
  ])
}

const someSubscriber = async (baseUrl: string, apiKey: string): Promise<string> => {
  const response = await fetch(`${baseUrl}/v1/notifications`, { headers: { authorization: `ApiKey ${apiKey}` } })
  const page: { readonly data: ReadonlyArray<{ readonly subscriber?: { readonly subscriberId: string } }> } =
    await response.json()
  const found = page.data.find(({ subscriber }) => subscriber !== undefined)?.subscriber?.subscriberId
  if (found === undefined) throw new Error("the demo data has no event with a subscriber")
  return found
}

/** The responses to all requests must have the same status. */
interface Load {
  readonly request: (index: number) => string
  readonly status: string
  readonly requests: number
}

const loadOf = async (baseUrl: string, { request, requests, status }: Load): Promise<number> => {
  const { perSecond, statuses } = await sendLoad({
    port: Number(new URL(baseUrl).port),
    connections,
    requests,
    request
  })
  if (statuses.get(status) !== requests) {
    throw new Error(`not every request was answered with ${status}: ${JSON.stringify([...statuses])}`)
  }
  return perSecond
}

type Contestant = Pick<Row, "id" | "label"> & { readonly rate: () => Promise<number> }

/**
 * The rows of a bare server and the fake that take turns; the first turns warm both. The speed of a machine changes within a
 * run: each turn of the fake is compared with the turns of the bare server before and after it.
 */
const inTurns = async (bare: Contestant, fake: Contestant): Promise<ReadonlyArray<Row>> => {
  await fake.rate()
  let before = await bare.rate()
  const turns: Array<{ readonly bare: number; readonly fake: number }> = []
  for (let round = 0; round < loadRounds; round++) {
    const rate = await fake.rate()
    const after = await bare.rate()
    turns.push({ bare: (before + after) / 2, fake: rate })
    before = after
  }
  const rowOf = ({ id, label }: Contestant, rates: ReadonlyArray<number>) => valueRow(id, label, "per second", rates)
  return [
    rowOf(
      bare,
      turns.map((turn) => turn.bare)
    ),
    {
      ...rowOf(
        fake,
        turns.map((turn) => turn.fake)
      ),
      baseline: bare.id,
      ratio: summarise(turns.map((turn) => turn.fake / turn.bare)).median
    }
  ]
}

const listOfTen = (apiKey: string) => () =>
  ["GET /v1/notifications?limit=10 HTTP/1.1", "host: 127.0.0.1", `authorization: ApiKey ${apiKey}`, "", ""].join("\r\n")

const throughput = async (): Promise<ReadonlyArray<Row>> => {
  if (!isFakeBuilt()) return []
  const bare = await startServer(bareServer)
  const fake = await startFake(["--demo"])
  const rateOf =
    ({ baseUrl }: { readonly baseUrl: string }, request: Load["request"], status: string) =>
    () =>
      loadOf(baseUrl, { request, status, requests: requestsOfRound })
  try {
    const subscriberId = await someSubscriber(fake.baseUrl, fake.apiKey)
    const posts = await inTurns(
      {
        id: "fake/post-bare",
        label: "POST over loopback, bare node:http",
        rate: rateOf(bare, markAs(subscriberId, "key"), "201")
      },
      {
        id: "fake/post",
        label: "POST over loopback, fake, validated and journalled",
        rate: rateOf(fake, markAs(subscriberId, fake.apiKey), "201")
      }
    )
    const page = await fetch(`${fake.baseUrl}/v1/notifications?limit=10`, {
      headers: { authorization: `ApiKey ${fake.apiKey}` }
    })
    await fetch(bare.baseUrl, { method: "PUT", body: await page.arrayBuffer() })
    const lists = await inTurns(
      {
        id: "fake/list-bare",
        label: "list of 10 over loopback, bare node:http that sends a stored page",
        rate: rateOf(bare, listOfTen("key"), "200")
      },
      {
        id: "fake/list",
        label: "list of 10 over loopback, fake",
        rate: rateOf(fake, listOfTen(fake.apiKey), "200")
      }
    )
    return [...posts, ...lists]
  } finally {
    bare.close()
    await fake.close()
  }
}

/** A test with each fault at each of its requests, and as often without a fault and without the fake. */
const sweeps = async (): Promise<ReadonlyArray<Row>> =>
  timedRows(await collectApart({ processes: 1, rounds: loadRounds }, sweepProcess, [[]]), [
    {
      id: "fake/sweep-bare",
      label: "the test of a sweep in a loop, bare Request/Response function",
      contestant: "loop"
    },
    { id: "fake/sweep", label: "sweep of a test of three requests", contestant: "sweep", baseline: "fake/sweep-bare" }
  ])

const memory = async (): Promise<ReadonlyArray<Row>> => {
  if (!isFakeBuilt()) return []
  const fake = await startFake(["--demo"])
  try {
    const subscriberId = await someSubscriber(fake.baseUrl, fake.apiKey)
    await loadOf(fake.baseUrl, {
      request: markAs(subscriberId, fake.apiKey, largeBody),
      status: "201",
      requests: requestsOfMemory
    })
    const label = "resident memory after 100,000 POSTs of 10 kB"
    return [valueRow("fake/memory", label, "MB", residentMegabytes(fake.pid))]
  } finally {
    await fake.close()
  }
}

/** The fake compared with the least that the runtime can do: a bare server, and a bare `fetch`-shaped function. */
export const fake = async (): Promise<Findings> => {
  const measured = await collectApart({ processes: 1, rounds: 15 }, inProcess, [[]])
  return {
    rows: [
      ...(await starts()),
      ...(await throughput()),
      ...(await sweeps()),
      ...(await memory()),
      ...timedRows(measured, [
        { id: "fake/fetch-bare", label: "call of a bare Request/Response function", contestant: "bare fetch" },
        {
          id: "fake/fetch",
          label: "call of the fake's fetch, validated and journalled",
          contestant: "fake fetch",
          baseline: "fake/fetch-bare"
        },
        {
          id: "fake/environment",
          label: "new empty environment in a fake of 10,000 events",
          contestant: "environment",
          baseline: "fake/fetch-bare"
        },
        { id: "fake/page-1000", label: "filtered page among 1,000 events", contestant: "page of 1000" },
        {
          id: "fake/page-1000000",
          label: "filtered page among 1,000,000 events",
          contestant: "page of 1000000",
          baseline: "fake/page-1000"
        }
      ])
    ]
  }
}
