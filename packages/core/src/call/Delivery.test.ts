import { assert, describe, it } from "@effect/vitest"
import { deliveryOf } from "./Delivery.ts"

describe("deliveryOf", () => {
  const coded = (code: string, more: object = {}) => Object.assign(new Error(code), { code, ...more })
  it("looks through causes, and at all of several addresses", () => {
    assert.deepStrictEqual(deliveryOf(new TypeError("x", { cause: coded("ENOTFOUND") })), {
      delivery: "not-sent",
      code: "ENOTFOUND"
    })
    const both = new AggregateError([coded("ECONNREFUSED"), coded("ECONNREFUSED")])
    assert.strictEqual(deliveryOf(new TypeError("x", { cause: both })).delivery, "not-sent")
    const mixed = new AggregateError([coded("ECONNREFUSED"), coded("ECONNRESET")])
    assert.strictEqual(deliveryOf(mixed).delivery, "unknown")
  })
  it("reports not sent without a socket", () => {
    for (const code of ["EMFILE", "ENFILE"]) assert.strictEqual(deliveryOf(coded(code)).delivery, "not-sent")
    assert.strictEqual(deliveryOf(coded("EADDRNOTAVAIL", { syscall: "connect" })).delivery, "not-sent")
    assert.strictEqual(deliveryOf(coded("EADDRNOTAVAIL")).delivery, "unknown")
  })
  it.each([
    "ECONNREFUSED",
    "ConnectionRefused",
    "ENOTFOUND",
    "EAI_AGAIN",
    "EAI_NONAME",
    "EMFILE",
    "ENFILE",
    "UND_ERR_CONNECT_TIMEOUT",
    "CERT_HAS_EXPIRED",
    "CERT_NOT_YET_VALID",
    "CERT_REVOKED",
    "CERT_UNTRUSTED",
    "DEPTH_ZERO_SELF_SIGNED_CERT",
    "SELF_SIGNED_CERT_IN_CHAIN",
    "UNABLE_TO_GET_ISSUER_CERT",
    "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
    "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
    "ERR_TLS_CERT_ALTNAME_INVALID",
    "ERR_SSL_WRONG_VERSION_NUMBER",
    "ERR_SSL_PACKET_LENGTH_TOO_LONG",
    "ERR_SSL_UNSUPPORTED_PROTOCOL",
    "ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION",
    "ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE",
    "ERR_SSL_SSL/TLS_ALERT_HANDSHAKE_FAILURE",
    "ERR_SSL_TLSV1_ALERT_NO_APPLICATION_PROTOCOL"
  ])("%s proves that nothing was sent", (code) => {
    assert.deepStrictEqual(deliveryOf(coded(code)), { delivery: "not-sent", code })
  })
  it.each(["ETIMEDOUT", "EHOSTUNREACH", "ENETUNREACH", "EADDRNOTAVAIL"])("%s proves it only of connecting", (code) => {
    assert.deepStrictEqual(deliveryOf(coded(code, { syscall: "connect" })), { delivery: "not-sent", code })
    assert.deepStrictEqual(deliveryOf(coded(code, { syscall: "write" })), { delivery: "unknown", code })
    assert.deepStrictEqual(deliveryOf(coded(code)), { delivery: "unknown", code })
  })
  it("EPROTO proves nothing: Bun reports it for every failure of TLS", () => {
    assert.deepStrictEqual(deliveryOf(coded("EPROTO")), { delivery: "unknown", code: "EPROTO" })
  })
  it("returns unknown for a cause whose fields throw", () => {
    const { proxy, revoke } = Proxy.revocable({}, {})
    revoke()
    const coded = Object.defineProperty(new Error("x"), "code", {
      get: () => {
        throw new Error("no code")
      }
    })
    for (const cause of [proxy, coded, new TypeError("x", { cause: coded })]) {
      assert.deepStrictEqual(deliveryOf(cause), { delivery: "unknown" })
    }
  })
  it("looks six causes deep", () => {
    const nested = (depth: number): unknown =>
      depth === 0 ? coded("ENOTFOUND") : new Error("outer", { cause: nested(depth - 1) })
    assert.strictEqual(deliveryOf(nested(6)).delivery, "not-sent")
    assert.deepStrictEqual(deliveryOf(nested(7)), { delivery: "unknown" })
    const several = (depth: number): unknown => (depth === 0 ? coded("ENOTFOUND") : { errors: [several(depth - 1)] })
    assert.strictEqual(deliveryOf(several(6)).delivery, "not-sent")
    assert.strictEqual(deliveryOf(several(7)).delivery, "unknown")
  })
  it("believes a timeout only while connecting", () => {
    assert.strictEqual(deliveryOf(coded("ETIMEDOUT", { syscall: "connect" })).delivery, "not-sent")
    assert.strictEqual(deliveryOf(coded("ETIMEDOUT", { syscall: "read" })).delivery, "unknown")
    assert.strictEqual(deliveryOf(coded("EPIPE", { syscall: "connect" })).delivery, "unknown")
  })
  it("does not count an empty list of failures as proof", () => {
    assert.deepStrictEqual(deliveryOf(new AggregateError([])), { delivery: "unknown" })
    assert.deepStrictEqual(deliveryOf(coded("ECONNRESET", { errors: [] })), { delivery: "unknown", code: "ECONNRESET" })
  })
  it("names the code of several failures, else the first that one of them has", () => {
    const refused = coded("ECONNREFUSED")
    const inOne = Object.assign(new AggregateError([refused, refused]), { code: "EAI_AGAIN" })
    assert.deepStrictEqual(deliveryOf(inOne), { delivery: "not-sent", code: "EAI_AGAIN" })
    const inSecond = new AggregateError([new Error("no code"), refused])
    assert.deepStrictEqual(deliveryOf(inSecond), { delivery: "unknown", code: "ECONNREFUSED" })
    assert.deepStrictEqual(deliveryOf(new AggregateError([new Error("no code")])), { delivery: "unknown" })
  })
  it("looks into the reason that a failure of Effect's client has", () => {
    assert.strictEqual(deliveryOf({ reason: { cause: coded("ENOTFOUND") } }).delivery, "not-sent")
  })
  it("reports unknown for everything else, cyclic causes included", () => {
    const ring = new Error("ring")
    ring.cause = ring
    for (const cause of [undefined, null, "text", 7, new Error(), ring]) {
      assert.deepStrictEqual(deliveryOf(cause), { delivery: "unknown" })
    }
  })

  it("keeps what the innermost failure says where none has a code", () => {
    const cause = new Error("other side closed")
    assert.deepStrictEqual(deliveryOf(new TypeError("fetch failed", { cause })), {
      delivery: "unknown",
      detail: "other side closed"
    })
  })

  it("reports not sent for a port that `fetch` blocks", () => {
    const blocked = new TypeError("fetch failed", { cause: new Error("bad port") })
    assert.deepStrictEqual(deliveryOf(blocked), { delivery: "not-sent", detail: "bad port" })
    const similar = new Error("a bad port of the proxy")
    assert.strictEqual(deliveryOf(similar).delivery, "unknown")
  })

  it("reports not sent when Deno lacks permission or blocks the port", () => {
    for (const detail of [
      `Requires net access to "127.0.0.1:4010", run again with the --allow-net flag`,
      "Fetch failed: Requests to port 6667 are blocked"
    ]) {
      assert.deepStrictEqual(deliveryOf(new TypeError(detail)), { delivery: "not-sent", detail })
      assert.strictEqual(deliveryOf(new Error(`The proxy said: ${detail}`)).delivery, "unknown")
    }
  })

  it("reports not sent when Deno refuses a URL that is too long, without the identifiers in it", () => {
    const error = new TypeError("Invalid URL http://127.0.0.1:4010/v1/subscribers/ada/credentials")
    assert.deepStrictEqual(deliveryOf(error), { delivery: "not-sent", detail: "Invalid URL" })
  })

  it("recognises from Deno's message that there was no connection", () => {
    const failed = (message: string) => deliveryOf(new TypeError("fetch failed", { cause: new Error(message) }))
    const refused = "client error (Connect): tcp connect error: Connection refused (os error 111)"
    assert.deepStrictEqual(
      failed(`error sending request for url (http://127.0.0.1:9/v1/subscribers/ada): ${refused}`),
      {
        delivery: "not-sent",
        detail: refused
      }
    )
    const lost = "client error (SendRequest): connection closed before message completed"
    assert.deepStrictEqual(
      failed(`error sending request from 127.0.0.1:80 for http://127.0.0.1:9/v1 (127.0.0.1:9): ${lost}`),
      { delivery: "unknown", detail: lost }
    )
  })
})
