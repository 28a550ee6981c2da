import { connect } from "node:net"

/** The time of one batch of requests. */
interface LoadResult {
  readonly perSecond: number
  readonly statuses: ReadonlyMap<string, number>
}

interface LoadOptions {
  readonly port: number
  readonly connections: number
  readonly requests: number
  /** The whole text of the nth request, head and body. */
  readonly request: (index: number) => string
}

const headEnd = Buffer.from("\r\n\r\n")

const lastChunk = Buffer.from("\r\n0\r\n\r\n")

// Where the answer at the front of what arrived ends; the load generator must cost less than any server.
const endOfAnswer = (received: Buffer, head: string, bodyStart: number): number => {
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1]
  if (length !== undefined) return bodyStart + Number(length)
  // One answer at a time is on its way, so the last chunk is the end of what arrived.
  return received.subarray(-lastChunk.length).equals(lastChunk) ? received.length : Infinity
}

const takeAnswer = (received: Buffer): { readonly status: string; readonly rest: Buffer } | undefined => {
  const end = received.indexOf(headEnd)
  if (end === -1) return undefined
  const head = received.subarray(0, end).toString("latin1")
  const total = endOfAnswer(received, head, end + headEnd.length)
  return received.length < total ? undefined : { status: head.slice(9, 12), rest: received.subarray(total) }
}

/** Sends requests over kept-alive sockets, one at a time on each, and counts the answers. */
export const sendLoad = async ({ connections, port, request, requests }: LoadOptions): Promise<LoadResult> => {
  const statuses = new Map<string, number>()
  let sent = 0
  const start = performance.now()
  const worker = () =>
    new Promise<void>((resolve, reject) => {
      const socket = connect(port, "127.0.0.1")
      socket.setNoDelay(true)
      let received: Buffer = Buffer.alloc(0)
      const next = () => {
        if (sent >= requests) return (void socket.destroy(), resolve())
        socket.write(request(sent++))
      }
      socket.on("connect", next)
      socket.on("error", reject)
      socket.on("close", () => resolve())
      socket.on("data", (chunk) => {
        received = received.length === 0 ? chunk : Buffer.concat([received, chunk])
        try {
          const answer = takeAnswer(received)
          if (answer === undefined) return
          received = answer.rest
          statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
          next()
        } catch (error) {
          reject(error)
        }
      })
    })
  await Promise.all(Array.from({ length: connections }, worker))
  return { perSecond: requests / ((performance.now() - start) / 1000), statuses }
}
