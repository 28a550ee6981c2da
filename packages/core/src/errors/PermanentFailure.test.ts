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
    ["ERR_SSL_SSL/TLS_ALERT_HANDSHAKE_FAILURE", "TLS versions"]
  ])("returns the remedy for the code %s and for the message with it", (code, remedy) => {
    assert.include(remedyOf(code), remedy)
    assert.include(remedyOf(`connection failed with ${code}, nothing was sent`), remedy)
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
