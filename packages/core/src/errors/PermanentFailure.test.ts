import { assert, describe, it } from "@effect/vitest"
import { remedyOf } from "./PermanentFailure.ts"

describe("remedyOf", () => {
  it.each([
    ["ENOTFOUND", "no server has this name"],
    ["EAI_NONAME", "no server has this name"],
    ["CERT_HAS_EXPIRED", "Renew"],
    ["CERT_NOT_YET_VALID", "correct this machine's clock"],
    ["CERT_REVOKED", "Renew"],
    ["ERR_TLS_CERT_ALTNAME_INVALID", "for another host"],
    ["CERT_UNTRUSTED", "NODE_EXTRA_CA_CERTS"],
    ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", "NODE_EXTRA_CA_CERTS"],
    ["ERR_SSL_PACKET_LENGTH_TOO_LONG", "does not use TLS"],
    ["ERR_SSL_UNSUPPORTED_PROTOCOL", "TLS versions"],
    ["EPROTO", "does the server use TLS on this port?"],
    ["ERR_SSL_SSL/TLS_ALERT_HANDSHAKE_FAILURE", "TLS versions"]
  ])("returns the remedy for the code %s and for the message with it", (code, remedy) => {
    assert.include(remedyOf(code), remedy)
    assert.include(remedyOf(`connection failed with ${code}, nothing was sent`), remedy)
  })

  // As Deno describes them; `packages/core/test/nodes` reproduces all but the first and the last.
  it.each([
    ["dns error: failed to lookup address information: Name or service not known", "no server has this name"],
    ["dns error: failed to lookup address information: nodename nor servname provided, or not known", "no server"],
    ["invalid peer certificate: certificate expired: verification time 1795399468 (UNIX)", "Renew"],
    ["invalid peer certificate: certificate not valid yet: verification time 1795399468 (UNIX)", "Renew"],
    ['invalid peer certificate: certificate not valid for name "127.0.0.1"', "for another host"],
    ["invalid peer certificate: UnknownIssuer", "NODE_EXTRA_CA_CERTS"],
    ["received corrupt message of type InvalidContentType", "does not use TLS"],
    ["received fatal alert: ProtocolVersion", "TLS versions"],
    ["received fatal alert: HandshakeFailure", "TLS versions"],
    ["received fatal alert: NoApplicationProtocol", "TLS versions"]
  ])("returns the remedy for Deno's message while connecting: %s", (detail, remedy) => {
    assert.include(remedyOf(`connection failed: client error (Connect): ${detail}, nothing was sent`), remedy)
    assert.isUndefined(remedyOf(`connection failed: client error (SendRequest): ${detail}`))
  })

  it.each([
    "dns error: failed to lookup address information: Temporary failure in name resolution",
    "tcp connect error: Connection refused (os error 111)",
    "tls handshake eof",
    "received fatal alert: InternalError"
  ])("returns none for Deno's message %s, which a retry may pass", (detail) => {
    assert.isUndefined(remedyOf(`connection failed: client error (Connect): ${detail}, nothing was sent`))
  })

  it.each(["bad port", "Fetch failed: Requests to port 6667 are blocked"])(
    "returns the remedy for a blocked port, if nothing was sent: %s",
    (detail) => {
      assert.include(remedyOf(`connection failed: ${detail}, nothing was sent`), "Use another port")
      assert.isUndefined(remedyOf(`connection failed: ${detail} of the proxy`))
    }
  )

  it.each([
    "ECONNREFUSED",
    "EAI_AGAIN",
    "EMFILE",
    "UND_ERR_CONNECT_TIMEOUT",
    "ECONNRESET",
    // Damage on the way, and a failure inside the server, which may pass.
    "ERR_SSL_SSLV3_ALERT_BAD_RECORD_MAC",
    "ERR_SSL_TLSV1_ALERT_INTERNAL_ERROR",
    // May follow the request.
    "ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED"
  ])("returns none for %s, which a retry may pass or which may follow the request", (code) => {
    assert.isUndefined(remedyOf(code))
  })
})
