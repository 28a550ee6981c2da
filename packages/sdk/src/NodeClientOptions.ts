import type { Dispatcher } from "@signalbox/core/internal/transport/Dispatcher"
import type { ClientOptions } from "./ClientOptions.ts"

/** Options of the client over undici: those of the client over `fetch`, with options for connections instead of `fetch`. */
export interface NodeClientOptions extends Omit<ClientOptions, "fetch" | "dispatcher"> {
  /**
   * Sends the requests: an `Agent`, `ProxyAgent` or another dispatcher of undici 7 or 8, which you close; an `Agent` that
   * the client closes when absent. A `Pool` or `Client` of undici 8 needs `allowH2: false`; see the guide.
   */
  readonly dispatcher?: Dispatcher | undefined
  /**
   * How long to wait for a connection, including its TLS handshake, in milliseconds; 4,000 when absent. A dispatcher has
   * its own limit, `connect.timeout`.
   */
  readonly connectMs?: number | undefined
  /**
   * Whether to use the proxies in the environment variables `HTTP_PROXY`, `HTTPS_PROXY` and `NO_PROXY`; `false` when
   * absent. Not together with a dispatcher.
   */
  readonly proxyFromEnv?: boolean | undefined
}
