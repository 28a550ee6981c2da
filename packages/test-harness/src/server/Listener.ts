import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo, Socket } from "node:net"

/** Accepts connections on one port at a time. */
export interface Listener {
  /** Listens, and returns the port. */
  readonly open: (port: number) => Promise<number>
  readonly isOpen: () => boolean
  /** Stops listening, and closes all connections but those whose last response is still to be sent. */
  readonly refuse: () => void
  /** Stops listening, and closes all connections. */
  readonly close: () => Promise<void>
}

export interface Handling {
  readonly handle: (request: IncomingMessage, reply: ServerResponse & { readonly req: IncomingMessage }) => void
  /** Whether the response to a request is sent even if it stops the listener. */
  readonly isLast: (request: IncomingMessage) => boolean
}

/** Makes a listener on a host that does not listen yet. */
export const makeListener = (host: string, { handle, isLast }: Handling): Listener => {
  const sockets = new Set<Socket>()
  const finishing = new Set<Socket>()

  const server = createServer((request, reply) => {
    const { socket } = request
    if (isLast(request)) {
      finishing.add(socket)
      reply.once("close", () => {
        finishing.delete(socket)
        if (!server.listening) socket.end()
      })
    }
    handle(request, reply)
  })
  server.on("connection", (socket) => {
    sockets.add(socket)
    // One listener for each delayed request.
    socket.setMaxListeners(0)
    socket.once("close", () => sockets.delete(socket))
  })

  return {
    open: (port) =>
      new Promise((resolve, reject) => {
        server.once("error", reject)
        server.listen(port, host, () => {
          server.off("error", reject)
          // A TCP server that listens has an address of this form.
          resolve((server.address() as AddressInfo).port)
        })
      }),
    isOpen: () => server.listening,
    refuse: () => {
      server.close()
      for (const socket of sockets) if (!finishing.has(socket)) socket.destroy()
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      })
  }
}
