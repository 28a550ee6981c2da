import type { Dispatcher } from "@signalbox/core/Dispatcher"
import type { ClientOptions } from "./ClientOptions.ts"

/** Options of the client over undici: those of the client over `fetch`, with a dispatcher instead of `fetch`. */
export interface NodeClientOptions extends Omit<ClientOptions, "fetch"> {
  /**
   * Sends the requests: an `Agent`, `Pool`, `ProxyAgent` or another dispatcher of undici 7 or newer, which you close; an
   * `Agent` that the client closes when absent.
   */
  readonly dispatcher?: Dispatcher | undefined
}
