/**
 * Ports on the loopback interface. Several suites may run on one machine, so that no port is fixed.
 */
import { once } from "node:events"
import { createServer, type Server } from "node:net"

/** Lets a server listen on a free port, and returns the port. */
export const listenOnLoopback = async (server: Server): Promise<number> => {
  await once(server.listen(0, "127.0.0.1"), "listening")
  const address = server.address()
  if (typeof address === "object" && address !== null) return address.port
  throw new Error("the server does not listen on a port")
}

/** A port on which nothing listens. */
export const freePort = async (): Promise<number> => {
  const server = createServer()
  const port = await listenOnLoopback(server)
  await new Promise((resolve) => server.close(resolve))
  return port
}
