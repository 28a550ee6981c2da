/** Bun's code for every failure of TLS, also for one after the request. */
export const failedTls = "EPROTO"

/**
 * Failures to connect that last until a person changes something, by the code or words in their message; Deno has no
 * codes. All but Bun's prove that nothing was sent, so alerts about a client certificate are missing: with TLS 1.3, they
 * may follow the request.
 */
const remedies: ReadonlyArray<readonly [failure: RegExp, remedy: string]> = [
  // Not EAI_AGAIN: a name server that does not respond may respond to the next lookup.
  [/\b(ENOTFOUND|EAI_NONAME)|\(Connect\): dns .*not known/, "Check the base URL: no server has this name."],
  [
    /\bCERT_(HAS_EXPIRED|NOT_YET|REVOKED)|\(Connect\): .*(expired|not valid yet)/,
    "Renew the server's certificate, or correct this machine's clock."
  ],
  [/\bERR_TLS_CERT_|\(Connect\): .*not valid for/, "Check the base URL: the server's certificate is for another host."],
  [
    /\b(CERT|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO)_|\(Connect\): .*certificate: /,
    "Trust the certificate's issuer (NODE_EXTRA_CA_CERTS)."
  ],
  [
    /\bERR_SSL_(WRONG_VERSION|PACKET_LENGTH)|\(Connect\): .*corrupt/,
    "Check the base URL: the server does not use TLS."
  ],
  // The prefix of an alert depends on the version of OpenSSL.
  [
    /\bERR_SSL_(UNSUPPORTED_PROTOCOL|.+_ALERT_(PROTOCOL|HANDSHAKE|NO_APP))|\(Connect\): .*: (Protocol|Handshake|NoApp)/,
    "Check which TLS versions and client certificates the server accepts."
  ],
  [new RegExp(`\\b${failedTls}\\b`), "Check the base URL: does the server use TLS on this port?"],
  [/ gave no Response$/, "Correct `fetch`."],
  // How undici and Deno refuse a port that browsers block, such as 6667. The comma follows only if nothing was sent.
  [/: bad port,| are blocked,/, "Use another port: `fetch` blocks this one."]
]

/**
 * The remedy for a failure to connect that a retry would only repeat, by its code or message; `undefined` for others.
 *
 * @example
 * ```ts
 * import { remedyOf } from "@signalbox/core/Errors"
 *
 * remedyOf("ENOTFOUND") // => "Check the base URL: no server has this name."
 * remedyOf("ECONNREFUSED") // => undefined
 * ```
 */
export const remedyOf = (failure: string): string | undefined =>
  remedies.find(([pattern]) => pattern.test(failure))?.[1]
