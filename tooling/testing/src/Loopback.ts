/**
 * Ports on the loopback interface. Several suites may run on one machine, so that no port is fixed.
 */
import { randomInt } from "node:crypto"
import { once } from "node:events"
import { createServer, type Server } from "node:net"

/** Lets a server listen on a free port, and returns the port. */
export const listenOnLoopback = async (server: Server): Promise<number> => {
  await once(server.listen(0, "127.0.0.1"), "listening")
  const address = server.address()
  if (typeof address === "object" && address !== null) return address.port
  throw new Error("the server does not listen on a port")
}

const canListen = async (port: number): Promise<boolean> => {
  const server = createServer()
  try {
    await once(server.listen(port), "listening")
  } catch {
    return false
  }
  await new Promise((resolve) => server.close(resolve))
  return true
}

/**
 * A port on which nothing listens, for a program that opens it later. Systems give higher ports to connections and to
 * servers that let the system choose, so that no other suite takes it before the program does.
 */
export const freePort = async (): Promise<number> => {
  const port = randomInt(10_000, 30_000)
  return (await canListen(port)) ? port : freePort()
}
