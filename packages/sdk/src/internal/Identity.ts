import { retryCountHeader } from "@signalbox/core/Connection"

/** Replaced by the build; the tests run the sources. */
declare const __SIGNALBOX_VERSION__: string | undefined

const version = typeof __SIGNALBOX_VERSION__ === "string" ? __SIGNALBOX_VERSION__ : "source"

/** The members by which runtimes identify themselves. */
interface Runtime {
  readonly navigator?: { readonly userAgent?: string }
  readonly process?: { readonly versions?: { readonly node?: string } }
}

/** The headers by which the service can tell which version of this client is in use, and what it retries. */
export const identity = (): Readonly<Record<string, string>> | undefined => {
  const { navigator, process } = globalThis as Runtime
  // Node 20 has no navigator.
  const node = process?.versions?.node
  const runtime = node === undefined ? navigator?.userAgent : `node ${node}`
  // Browsers may refuse a request with headers that the service does not allow.
  if (runtime === undefined || runtime.startsWith("Mozilla")) return undefined
  return { "user-agent": `signalbox-sdk/${version} (${runtime})`, [retryCountHeader]: "0" }
}
