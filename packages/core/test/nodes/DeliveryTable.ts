import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type { RequestListener } from "node:http"
import { constants, type ServerHttp2Stream } from "node:http2"
import type { Socket } from "node:net"
import * as Timeouts from "../../src/policies/Timeouts.ts"
import type { Certificate, Certificates } from "./Certificates.ts"
import {
  connections,
  fullQueue,
  type Reached,
  refusing,
  requests,
  secureConnections,
  secureRequests,
  streams
} from "./Servers.ts"

/** One case in which a request gets no response, and the delivery that the call reports. */
export interface DeliveryRow {
  readonly name: string
  readonly delivery: "not-sent" | "unknown" | "arrived"
  /** Whether the request goes over HTTP/2, which only undici does. */
  readonly isHttp2?: true
  /** The advice of the error, if the failure is permanent: a retry would fail the same way, so none is made. */
  readonly advice?: string
  /** Whether only `fetch` fails this way; undici fails in another way, with the same delivery. */
  readonly isFetchOnly?: true
  /** The report of undici, which tracks what was written; the same as `delivery` when absent. */
  readonly exactDelivery?: "not-sent" | "either"
  /** Opens the server that the request goes to. */
  readonly open: (certificates: Certificates) => Reached
  /** The timeout of an attempt. By default, so long that it only ends an attempt that hangs. */
  readonly attemptTimeout?: Duration.Input
  /** The only platform that lets it happen. */
  readonly platform?: NodeJS.Platform
}

const afterFirstByte = (then: (socket: Socket) => void) => (socket: Socket) => {
  socket.once("data", () => then(socket))
}
const reset = (socket: Socket) => void socket.resetAndDestroy()
const close = (socket: Socket) => void socket.end()

const resetRequest: RequestListener = ({ socket }) => reset(socket)
const cutRequest: RequestListener = ({ socket }) => void socket.destroy()
const closeRequest: RequestListener = ({ socket }) => close(socket)

/** Writes this to the connection, past what Node knows about HTTP. */
const raw =
  (text: string, then: (socket: Socket) => void): RequestListener =>
  ({ socket }) =>
    void socket.write(text, () => then(socket))

const head = (...lines: ReadonlyArray<string>) =>
  ["HTTP/1.1 200 OK", "content-type: application/json", ...lines, "", ""].join("\r\n")
const cutBody = `${head("content-length: 100")}{"data":[`
const cutChunk = `${head("transfer-encoding: chunked")}64\r\n{"data":[`
const betweenChunks = `${head("transfer-encoding: chunked")}9\r\n{"data":[\r\n`
const notChunked = `${head("transfer-encoding: chunked")}{"data":[],"hasMore":false,"page":0,"pageSize":10}`
const notCompressed = `${head("content-length: 2", "content-encoding: gzip")}[]`
const twoLengths = `${head("content-length: 2", "content-length: 3")}[]`

/** Responds to the first request of a connection with a valid body, and runs `then` for the second. */
const keptAlive = (then: RequestListener): RequestListener => {
  const used = new WeakSet<Socket>()
  return (request, response) => {
    if (used.has(request.socket)) return then(request, response)
    used.add(request.socket)
    response.writeHead(200, { "content-type": "application/json" })
    response.end(request.method === "POST" ? "[]" : '{"data":[],"hasMore":false,"page":0,"pageSize":10}')
  }
}

/** Does this to the first request, and responds to others: a request that undici writes again would succeed. */
const firstStream = (options: Certificate, then: (stream: ServerHttp2Stream) => void): Reached =>
  Effect.suspend(() => {
    let count = 0
    return streams(options, (stream) => {
      if (++count === 1) return then(stream)
      stream.respond({ ":status": 200, "content-type": "application/json" })
      stream.end('{"data":[],"hasMore":false,"page":0,"pageSize":10}')
    })
  })

const trustIssuer = "Trust the certificate's issuer (NODE_EXTRA_CA_CERTS)."
const renew = "Renew the server's certificate, or correct this machine's clock."
const nothingInCommon = "Check which TLS versions and client certificates the server accepts."

// Current clients and old servers have no TLS version in common.
const oldVersionOnly = { minVersion: "TLSv1", maxVersion: "TLSv1.1", ciphers: "DEFAULT@SECLEVEL=0" } as const

/** The delivery that a call reports in each case without a response, with the `fetch` of every supported Node. */
export const deliveryTable: ReadonlyArray<DeliveryRow> = [
  { name: "connection refused", delivery: "not-sent", open: () => refusing },
  // undici itself blocks no port; no server listens on this one.
  {
    name: "a port that `fetch` blocks",
    delivery: "not-sent",
    advice: "Use another port: `fetch` blocks this one.",
    isFetchOnly: true,
    open: () => Effect.succeed("http://127.0.0.1:1")
  },
  {
    name: "connect timeout",
    delivery: "not-sent",
    // Node times out after 10 to 12 s, sooner than the default limit of an attempt.
    open: () => fullQueue,
    attemptTimeout: Timeouts.default.attemptMs,
    platform: "linux"
  },
  {
    name: "TLS: connect timeout in the handshake",
    delivery: "not-sent",
    open: () => secureConnections(() => {}),
    attemptTimeout: Timeouts.default.attemptMs
  },
  {
    name: "TLS: the server does not support it",
    delivery: "not-sent",
    advice: "Check the base URL: the server does not use TLS.",
    open: () => secureConnections(afterFirstByte((socket) => void socket.end("HTTP/1.1 400 Bad Request\r\n\r\n")))
  },
  {
    name: "TLS: only outdated versions in common",
    delivery: "not-sent",
    advice: nothingInCommon,
    open: ({ good }) => secureRequests({ ...good, ...oldVersionOnly })
  },
  {
    name: "TLS: no cipher in common",
    delivery: "not-sent",
    advice: nothingInCommon,
    // A cipher for another kind of certificate than the server has.
    open: ({ good }) => secureRequests({ ...good, maxVersion: "TLSv1.2", ciphers: "ECDHE-RSA-AES128-GCM-SHA256" })
  },
  {
    name: "TLS: self-signed certificate",
    delivery: "not-sent",
    advice: trustIssuer,
    open: ({ selfSigned }) => secureRequests(selfSigned)
  },
  {
    name: "TLS: certificate of an unknown authority",
    delivery: "not-sent",
    advice: trustIssuer,
    open: ({ unknownAuthority }) => secureRequests(unknownAuthority)
  },
  {
    name: "TLS: certificate sent together with its unknown authority",
    delivery: "not-sent",
    advice: trustIssuer,
    open: ({ unknownAuthorityChain }) => secureRequests(unknownAuthorityChain)
  },
  {
    name: "TLS: certificate has expired",
    delivery: "not-sent",
    advice: renew,
    open: ({ expired }) => secureRequests(expired)
  },
  {
    name: "TLS: certificate is not valid yet",
    delivery: "not-sent",
    advice: renew,
    open: ({ notYetValid }) => secureRequests(notYetValid)
  },
  {
    name: "TLS: certificate for another host",
    delivery: "not-sent",
    advice: "Check the base URL: the server's certificate is for another host.",
    open: ({ otherHost }) => secureRequests(otherHost)
  },
  {
    name: "TLS: closed in the handshake",
    delivery: "unknown",
    exactDelivery: "not-sent",
    open: () => secureConnections(afterFirstByte(close))
  },
  {
    name: "TLS: reset in the handshake",
    delivery: "unknown",
    exactDelivery: "not-sent",
    open: () => secureConnections(afterFirstByte(reset))
  },
  {
    // With TLS 1.3 the rejection can arrive after the request was sent.
    name: "TLS: the server requires a client certificate",
    delivery: "unknown",
    open: ({ good }) => secureRequests({ ...good, requestCert: true, rejectUnauthorized: true })
  },
  {
    name: "TLS: cut off after the request was read",
    delivery: "unknown",
    open: ({ good }) => secureRequests(good, cutRequest)
  },
  { name: "TLS: a cut body", delivery: "arrived", open: ({ good }) => secureRequests(good, raw(cutBody, close)) },
  {
    // `.invalid` is reserved for names that do not exist; without a network the lookup fails as well.
    name: "unknown name",
    delivery: "not-sent",
    open: () => Effect.succeed("http://no-such-host.invalid")
  },
  {
    name: "reset at once",
    delivery: "unknown",
    // The reset can arrive before or after the request was written.
    exactDelivery: "either",
    open: () => connections(reset)
  },
  {
    name: "closed at once",
    delivery: "unknown",
    open: () => connections(close),
    // Node 20 keeps reconnecting until the server stops it.
    attemptTimeout: "1 second"
  },
  { name: "reset while the request is read", delivery: "unknown", open: () => connections(afterFirstByte(reset)) },
  { name: "closed while the request is read", delivery: "unknown", open: () => connections(afterFirstByte(close)) },
  { name: "reset after the request was read", delivery: "unknown", open: () => requests(resetRequest) },
  { name: "closed after the request was read", delivery: "unknown", open: () => requests(closeRequest) },
  {
    name: "a kept-alive connection, reset after its second request was read",
    delivery: "unknown",
    open: () => requests(keptAlive(resetRequest))
  },
  {
    name: "a kept-alive connection, closed after its second request was read",
    delivery: "unknown",
    open: () => requests(keptAlive(closeRequest))
  },
  { name: "garbage instead of HTTP", delivery: "unknown", open: () => requests(raw("hello\r\n\r\n", close)) },
  {
    name: "a greeting before the request",
    delivery: "unknown",
    open: () => connections((socket) => void socket.write("220 ready\r\n"))
  },
  { name: "a cut head, closed", delivery: "unknown", open: () => requests(raw("HTTP/1.1 200 OK\r\ncontent-", close)) },
  { name: "a cut head, reset", delivery: "unknown", open: () => requests(raw("HTTP/1.1 200 OK\r\ncontent-", reset)) },
  { name: "a cut body, closed", delivery: "arrived", open: () => requests(raw(cutBody, close)) },
  { name: "a cut body, reset", delivery: "arrived", open: () => requests(raw(cutBody, reset)) },
  { name: "a cut chunk, closed", delivery: "arrived", open: () => requests(raw(cutChunk, close)) },
  { name: "a missing last chunk, closed", delivery: "arrived", open: () => requests(raw(betweenChunks, close)) },
  { name: "malformed chunks", delivery: "arrived", open: () => requests(raw(notChunked, close)) },
  {
    name: "a body that is not compressed as its header says",
    delivery: "arrived",
    open: () => requests(raw(notCompressed, close))
  },
  { name: "two Content-Length headers", delivery: "unknown", open: () => requests(raw(twoLengths, close)) },
  {
    name: "HTTP/2: the service refused the stream",
    delivery: "not-sent",
    isHttp2: true,
    open: ({ good }) => firstStream(good, (stream) => stream.close(constants.NGHTTP2_REFUSED_STREAM))
  },
  {
    name: "HTTP/2: the service cancelled the stream",
    delivery: "unknown",
    isHttp2: true,
    open: ({ good }) => firstStream(good, (stream) => stream.close(constants.NGHTTP2_CANCEL))
  },
  {
    // undici does not report which was the last stream that the service processed.
    name: "HTTP/2: the service closed the session (GOAWAY)",
    delivery: "unknown",
    isHttp2: true,
    open: ({ good }) => firstStream(good, (stream) => stream.session?.goaway(constants.NGHTTP2_NO_ERROR))
  },
  {
    name: "HTTP/2: closed after the request was read",
    delivery: "unknown",
    isHttp2: true,
    open: ({ good }) => firstStream(good, (stream) => stream.session?.destroy())
  }
]

/** One report of a call: its delivery, and, of a permanent failure, that it was not retried and what to do. */
export const reportOf = (
  delivery: string,
  { attempts, advice }: { readonly attempts: number; readonly advice: string }
) => `${delivery} after ${attempts === 1 ? "1 attempt" : `${attempts} attempts`}: ${advice}`

/** The rows that can happen on this platform. */
export const rowsHere = (): ReadonlyArray<DeliveryRow> =>
  deliveryTable.filter(({ platform = process.platform }) => platform === process.platform)
