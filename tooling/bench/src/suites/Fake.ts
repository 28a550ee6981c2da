import { sweep } from "@signalbox/test-harness"
import { isFakeBuilt, startFake } from "../FakeExecutable.ts"
import { sendLoad } from "../Load.ts"
import { collect, summarise } from "../Measure.ts"
import { openRounds } from "../Rounds.ts"
import type { Report, Row } from "../Row.ts"
import { timedRows, valueRow } from "../Row.ts"
import { startServer } from "../ServerProcess.ts"
import { residentMegabytes } from "../Terminal.ts"

const inProcess = new URL("../processes/fake.ts", import.meta.url)
const bareServer = new URL("../processes/bareServer.ts", import.meta.url)
const startRounds = 11
const loadRounds = 7
const sweepRounds = 7
const requestsOfRound = 8_000
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
      baseline: { id: "fake/start-bare", contestant: "bare" }
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

/** Rates of a bare server and the fake that take turns; the first round warms both. */
const inTurns = async (bare: () => Promise<number>, fake: () => Promise<number>) => {
  const rates = { bare: [] as Array<number>, fake: [] as Array<number> }
  for (let round = -1; round < loadRounds; round++) {
    const bareRate = await bare()
    const fakeRate = await fake()
    if (round < 0) continue
    rates.bare.push(bareRate)
    rates.fake.push(fakeRate)
  }
  return rates
}

const listOfTen = (apiKey: string) => () =>
  ["GET /v1/notifications?limit=10 HTTP/1.1", "host: 127.0.0.1", `authorization: ApiKey ${apiKey}`, "", ""].join("\r\n")

const perSecond = "per second"

const throughput = async (): Promise<ReadonlyArray<Row>> => {
  if (!isFakeBuilt()) return []
  const bare = await startServer(bareServer)
  const fake = await startFake(["--demo"])
  try {
    const subscriberId = await someSubscriber(fake.baseUrl, fake.apiKey)
    const posts = await inTurns(
      () => loadOf(bare.baseUrl, { request: markAs(subscriberId, "key"), status: "201", requests: requestsOfRound }),
      () =>
        loadOf(fake.baseUrl, { request: markAs(subscriberId, fake.apiKey), status: "201", requests: requestsOfRound })
    )
    const page = await fetch(`${fake.baseUrl}/v1/notifications?limit=10`, {
      headers: { authorization: `ApiKey ${fake.apiKey}` }
    })
    await fetch(bare.baseUrl, { method: "PUT", body: await page.arrayBuffer() })
    const lists = await inTurns(
      () => loadOf(bare.baseUrl, { request: listOfTen("key"), status: "200", requests: requestsOfRound }),
      () => loadOf(fake.baseUrl, { request: listOfTen(fake.apiKey), status: "200", requests: requestsOfRound })
    )
    const bareRow = valueRow("fake/post-bare", "POST over loopback, bare node:http", perSecond, summarise(posts.bare))
    const label = "list of 10 over loopback, bare node:http that sends a stored page"
    const bareList = valueRow("fake/list-bare", label, perSecond, summarise(lists.bare))
    return [
      bareRow,
      valueRow("fake/post", "POST over loopback, fake, validated and journalled", perSecond, summarise(posts.fake), {
        baseline: bareRow
      }),
      bareList,
      valueRow("fake/list", "list of 10 over loopback, fake", perSecond, summarise(lists.fake), { baseline: bareList })
    ]
  } finally {
    bare.close()
    await fake.close()
  }
}

/** A test of three requests, with each fault at each of them. */
const sweeps = async (): Promise<ReadonlyArray<Row>> => {
  const rates: Array<number> = []
  for (let round = -1; round < sweepRounds; round++) {
    const start = performance.now()
    const { cells } = await sweep(async ({ apiKey, baseUrl, fetch: send }) => {
      for (let request = 0; request < 3; request++) {
        const headers = { authorization: `ApiKey ${apiKey}` }
        const signal = AbortSignal.timeout(1_000)
        await send(`${baseUrl}/v1/notifications`, { headers, signal })
          .then((response) => response.text())
          .catch(() => undefined)
      }
    })
    // The first round warms up.
    if (round >= 0) rates.push((cells.length * 1_000) / (performance.now() - start))
  }
  return [valueRow("fake/sweep", "cells of a sweep, in process", "per second", summarise(rates))]
}

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
    const megabytes = summarise([residentMegabytes(fake.pid)])
    return [valueRow("fake/memory", "resident memory after 100,000 POSTs of 10 kB", "MB", megabytes)]
  } finally {
    await fake.close()
  }
}

/** The fake compared with the least that the runtime can do: a bare server, and a bare `fetch`-shaped function. */
export const fake = async (): Promise<Report> => {
  const rounds = await openRounds(inProcess, [])
  try {
    const measured = await collect(15, [rounds.round])
    return {
      suite: "fake",
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
            baseline: { id: "fake/fetch-bare", contestant: "bare fetch" }
          },
          {
            id: "fake/environment",
            label: "new empty environment in a fake of 10,000 events",
            contestant: "environment",
            baseline: { id: "fake/fetch-bare", contestant: "bare fetch" }
          },
          { id: "fake/page-1000", label: "filtered page among 1,000 events", contestant: "page of 1000" },
          {
            id: "fake/page-1000000",
            label: "filtered page among 1,000,000 events",
            contestant: "page of 1000000",
            baseline: { id: "fake/page-1000", contestant: "page of 1000" }
          }
        ])
      ],
      observations: []
    }
  } finally {
    rounds.close()
  }
}
