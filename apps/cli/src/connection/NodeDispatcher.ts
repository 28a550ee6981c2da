/**
 * Sends requests with Node's own HTTP client, for `UndiciTransport`. The first `fetch` of a process loads 2.4 times as much
 * code as Node itself, which a command that sends one request would spend most of its time on.
 */
import type { ClientRequest, RequestOptions } from "node:http"
import { request as requestOverHttp } from "node:http"
import type { DispatchController, Dispatcher } from "@signalbox/core/internal/transport/Dispatcher"

/** Node's client for https costs as much to load again, and the address of a service on this machine needs none. */
const requestOverTls = (url: URL, options: RequestOptions): ClientRequest =>
  process.getBuiltinModule("node:https").request(url, options)

/** Calls back when a connection is ready, before its first byte is written. */
const onConnected = (request: ClientRequest, start: () => void) =>
  request.once("socket", (socket) => {
    const isShakingHands = "secureConnecting" in socket && socket.secureConnecting === true
    if (!socket.connecting && !isShakingHands) start()
    else socket.once(isShakingHands ? "secureConnect" : "connect", start)
  })

/** A dispatcher over `node:http` and `node:https`. */
export const nodeDispatcher: Dispatcher = {
  dispatch: ({ body, headers, method, origin, path }, handler) => {
    // Not resolved: a path that starts with two slashes would lead to another host, with the API key.
    const url = new URL(`${String(origin)}${path}`)
    const request = (url.protocol === "https:" ? requestOverTls : requestOverHttp)(url, {
      method,
      headers: body === null ? headers : { ...headers, "content-length": Buffer.byteLength(body) }
    })
    const controller: DispatchController = { abort: (reason) => void request.destroy(reason) }
    const fail = (error: Error) => handler.onResponseError(controller, error)
    onConnected(request, () => handler.onRequestStart(controller))
    request.once("response", (response) => {
      handler.onResponseStart(controller, response.statusCode ?? 0, response.headersDistinct)
      response.on("data", (chunk) => handler.onResponseData(controller, chunk))
      response.once("end", () => handler.onResponseEnd(controller))
      response.once("error", fail)
    })
    request.on("error", fail)
    request.end(body ?? undefined)
    return true
  }
}
