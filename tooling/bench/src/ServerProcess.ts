import { fork } from "node:child_process"

/** A server in a separate process, so that its work is not counted as the client's. */
export interface ServerProcess {
  readonly baseUrl: string
  readonly apiKey: string
  readonly close: () => void
}

interface Announcement {
  readonly port: number
  readonly apiKey: string
}

/** Starts a script of `processes/` that sends its port once it listens. */
export const startServer = async (script: URL, words: ReadonlyArray<string> = []): Promise<ServerProcess> => {
  const child = fork(script, [...words])
  const { apiKey, port } = await new Promise<Announcement>((resolve, reject) => {
    child.once("exit", (code) => reject(new Error(`${script.pathname} ended before it listened, with ${code}`)))
    // The channel carries only what `announce` below sends.
    child.once("message", (message) => resolve(message as Announcement))
  })
  return { baseUrl: `http://127.0.0.1:${port}`, apiKey, close: () => void child.kill() }
}

/** The other side of {@link startServer}: tells the parent the port and the key it takes, and ends when the parent does. */
export const announce = (address: { readonly port: number } | string | null, apiKey = "key"): void => {
  if (address === null || typeof address === "string") throw new Error("the server does not listen on a port")
  process.send?.({ port: address.port, apiKey } satisfies Announcement)
  process.on("disconnect", () => process.exit(0))
}
