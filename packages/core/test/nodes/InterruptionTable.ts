import type { Socket } from "node:net"
import { connections, type Reached, requests } from "./Servers.ts"

/** Receives what a server observes of a call to which it never responds. */
export interface Witness {
  /** The call has reached the stage of its row. */
  readonly reached: () => void
  readonly closed: () => void
}

/** A stage of a call at which it is interrupted. */
export interface InterruptionRow {
  readonly name: string
  readonly open: (witness: Witness) => Reached
}

const watch = (socket: Socket, { closed }: Witness) => void socket.once("close", closed)

/**
 * The stages at which a call has a connection that has to be closed. Before that, while it connects, `fetch` goes on
 * connecting by itself for up to 10 s on every Node, although the call ends at once.
 */
export const interruptionTable: ReadonlyArray<InterruptionRow> = [
  {
    name: "while the request is read",
    open: (witness) =>
      connections((socket) => {
        watch(socket, witness)
        socket.once("data", witness.reached)
      })
  },
  {
    name: "before the response",
    open: (witness) =>
      requests(({ socket }) => {
        watch(socket, witness)
        witness.reached()
      })
  },
  {
    name: "within the head of the response",
    open: (witness) =>
      requests(({ socket }) => {
        watch(socket, witness)
        socket.write("HTTP/1.1 200 OK\r\ncontent-", witness.reached)
      })
  },
  {
    name: "within the body of the response",
    open: (witness) =>
      requests(({ socket }, response) => {
        watch(socket, witness)
        response.writeHead(200, { "content-type": "application/json" })
        response.write("{", witness.reached)
      })
  }
]
