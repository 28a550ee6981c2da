import type { Socket } from "node:net"
import * as Effect from "effect/Effect"
import type { Certificates } from "./Certificates.ts"
import { connections, fullQueue, type Reached, requests, secureConnections, streams } from "./Servers.ts"

/** Receives what a server observes of a call to which it never responds. */
export interface Witness {
  /** The call has reached the stage of its row. */
  readonly reached: () => void
  readonly closed: () => void
}

/** A stage of a call at which it is interrupted, or its time is up. */
export interface InterruptionRow {
  readonly name: string
  /** The report of undici at this stage; over `fetch` it is unknown at every stage. */
  readonly exactDelivery: "not-sent" | "unknown"
  readonly open: (witness: Witness, certificates: Certificates) => Reached
  /** Whether the call still has no connection: `fetch` then keeps connecting by itself for up to 10 s. */
  readonly isConnecting?: true
  /** Whether the call waits for the only connection of its pool, on which another call has reached the stage. */
  readonly isQueued?: true
  /** Whether the request goes over HTTP/2, which only undici does. */
  readonly isHttp2?: true
  /** The only platform that lets it happen. */
  readonly platform?: NodeJS.Platform
}

const watch = (socket: Socket, { closed }: Witness) => void socket.once("close", closed)

const neverResponding = (witness: Witness): Reached =>
  requests(({ socket }) => {
    watch(socket, witness)
    witness.reached()
  })

/** The stages of a call that gets no response. */
export const interruptionTable: ReadonlyArray<InterruptionRow> = [
  {
    name: "while it connects",
    exactDelivery: "not-sent",
    isConnecting: true,
    platform: "linux",
    open: ({ reached }) => Effect.tap(fullQueue, () => Effect.sync(reached))
  },
  {
    name: "during the TLS handshake",
    exactDelivery: "not-sent",
    isConnecting: true,
    open: ({ reached }) => secureConnections((socket) => void socket.once("data", reached))
  },
  {
    name: "while it waits for a connection of a pool",
    exactDelivery: "not-sent",
    isQueued: true,
    open: neverResponding
  },
  {
    name: "while the request is read",
    exactDelivery: "unknown",
    open: (witness) =>
      connections((socket) => {
        watch(socket, witness)
        socket.once("data", witness.reached)
      })
  },
  {
    name: "before the response",
    exactDelivery: "unknown",
    open: neverResponding
  },
  {
    name: "HTTP/2: before the response",
    exactDelivery: "unknown",
    isHttp2: true,
    open: (witness, { good }) =>
      streams(good, (stream) => {
        // The connection stays open for other streams.
        stream.once("close", witness.closed)
        witness.reached()
      })
  },
  {
    name: "within the head of the response",
    exactDelivery: "unknown",
    open: (witness) =>
      requests(({ socket }) => {
        watch(socket, witness)
        socket.write("HTTP/1.1 200 OK\r\ncontent-", witness.reached)
      })
  },
  {
    name: "within the body of the response",
    exactDelivery: "unknown",
    open: (witness) =>
      requests(({ socket }, response) => {
        watch(socket, witness)
        response.writeHead(200, { "content-type": "application/json" })
        response.write("{", witness.reached)
      })
  }
]

/** The stages that can happen on this platform. */
export const stagesHere = (): ReadonlyArray<InterruptionRow> =>
  interruptionTable.filter(({ platform = process.platform }) => platform === process.platform)
