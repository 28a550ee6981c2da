import { freePort, listenOnLoopback } from "@signalbox/testing/Loopback"
import { createFake } from "@signalbox/test-harness"
import { listen } from "@signalbox/test-harness/server"
import { createServer, type RequestListener } from "node:http"
import type { Socket } from "node:net"
import type { Places } from "./consumer/Platform.ts"

const page = JSON.stringify({ hasMore: false, data: [], page: 0, pageSize: 10 })

const subscriber = {
  subscriberId: "ada",
  _organizationId: "organization",
  _environmentId: "environment",
  deleted: false,
  createdAt: "2026-01-01T00:00:00.000Z",
  updatedAt: "2026-01-01T00:00:00.000Z"
}

/** Lets a page of any origin send requests. */
const allowed = {
  "access-control-allow-origin": "*",
  "access-control-allow-headers": "*, authorization",
  "access-control-allow-methods": "*"
}

const open = async (listener: RequestListener) => {
  const server = createServer((request, response) => {
    for (const [name, value] of Object.entries(allowed)) response.setHeader(name, value)
    if (request.method === "OPTIONS") response.writeHead(204).end()
    else request.resume().once("end", () => listener(request, response))
  })
  const port = await listenOnLoopback(server)
  return {
    url: `http://127.0.0.1:${port}`,
    close: () => {
      server.closeAllConnections()
      return new Promise<void>((resolve) => server.close(() => resolve()))
    }
  }
}

/** The servers of one run on a platform. */
export interface PlatformServers extends AsyncDisposable {
  readonly places: Places
  /** An empty page, for a browser. */
  readonly page: string
  /** How often device tokens arrived at the server that breaks connections, and how often on a reused one. */
  readonly arrived: { all: number; onReused: number }
}

/** Opens the servers. */
export const openServers = async (): Promise<PlatformServers> => {
  const fake = createFake({ seed: 7, events: 25 })
  const empty = await open((_, response) => void response.writeHead(200, { "content-type": "text/html" }).end())
  const server = await listen(fake, { allowOrigin: empty.url })
  const arrived = { all: 0, onReused: 0 }
  const used = new WeakSet<Socket>()
  const breaking = await open(({ method, socket }, response) => {
    const isReused = used.has(socket)
    used.add(socket)
    response.setHeader("content-type", "application/json")
    if (method !== "PATCH") return void response.end(page)
    // The program tries again until its connection is reused.
    if (!isReused && arrived.onReused === 0) {
      return void response.end(JSON.stringify({ ...subscriber, subscriberId: "new-connection" }))
    }
    arrived.all += 1
    if (isReused) {
      arrived.onReused += 1
      return void socket.resetAndDestroy()
    }
    response.end(JSON.stringify(subscriber))
  })
  const redirecting = await open((_, response) => {
    response.writeHead(307, { location: "http://127.0.0.1/elsewhere" }).end()
  })
  return {
    arrived,
    page: empty.url,
    places: {
      apiKey: fake.apiKey,
      fake: server.url,
      breaking: breaking.url,
      refusing: `http://127.0.0.1:${await freePort()}`,
      redirecting: redirecting.url
    },
    [Symbol.asyncDispose]: async () => {
      await Promise.all([empty.close(), server.close(), breaking.close(), redirecting.close()])
    }
  }
}
