import type { RateLimitSnapshot } from "@signalbox/core/CallInfo"
import type { BehaviourOptions } from "./ClientOptions.ts"

/** Members of every client. */
export interface ClientBase extends AsyncDisposable {
  /**
   * A client with other defaults, which shares everything else: connections, rate limit, retry quota and `close()`.
   *
   * @example
   * ```ts
   * import { createClientFromEnv } from "@signalbox/sdk"
   *
   * const client = createClientFromEnv()
   * const patient = client.with({ timeouts: { callMs: 300_000 }, headers: { "x-tenant": "blue" } })
   * ```
   */
  readonly with: (defaults: BehaviourOptions) => this
  /** The rate limit as last reported by the service; `undefined` before the first report. */
  readonly rateLimit: RateLimitSnapshot | undefined
  /** Interrupts all calls and releases resources; those calls and later ones reject with `ClientClosed`. */
  readonly close: () => Promise<void>
}
