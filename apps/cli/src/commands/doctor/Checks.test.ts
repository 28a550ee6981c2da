import { expect, it } from "vitest"
import * as Checks from "./Checks.ts"

const now = Date.parse("2026-11-21T12:00:00Z")

const day = 86_400_000

const tls = { protocol: "TLSv1.3", authorized: true, problem: "", expiresAt: now + 90 * day }

const https = "https://api.example.com"

const event = (id: number, createdAt: string | undefined = new Date(now - id * 1000).toISOString()) =>
  ({
    ...(id > 90 ? {} : { _id: String(id) }),
    _environmentId: "e",
    _organizationId: "o",
    _subscriberId: "s",
    transactionId: `txn_${id}`,
    ...(createdAt === "" ? {} : { createdAt })
  }) as const

const difference = (kind: "unknown-field" | "unreadable", path: string) =>
  ({ operation: "events.list", kind, path }) as const

/** The observations of each check, in the order of the golden file. */
const checks: ReadonlyArray<Checks.Check> = [
  ...[https, "http://127.0.0.1:4010", "http://localhost", "http://[::1]:80", "http://api.example.com"].map(
    Checks.checkAddress
  ),
  ...[
    tls,
    { ...tls, expiresAt: now + 14 * day },
    { ...tls, expiresAt: now + 14 * day - 1 },
    { ...tls, expiresAt: now + day },
    { ...tls, authorized: false, problem: "SELF_SIGNED" }
  ].map((observed) => Checks.checkTls(observed, now)),
  Checks.checkProxy({}, { via: "1.1 squid" }, https),
  Checks.checkProxy({ HTTPS_PROXY: "" }, {}, https),
  ...["HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy"].flatMap((name) => [
    Checks.checkProxy({ [name]: "http://proxy" }, {}, https),
    Checks.checkProxy({ [name]: "http://proxy" }, {}, "http://api.example.com"),
    Checks.checkProxy({ [name]: "http://proxy", NODE_USE_ENV_PROXY: "1" }, {}, https)
  ]),
  ...["11:59:54", "11:59:55", "12:00:00", "12:00:04", "12:00:05", "12:01:00"].map((time) =>
    Checks.checkClock(`Sat, 21 Nov 2026 ${time} GMT`, now)
  ),
  Checks.checkClock(undefined, now),
  ...[undefined, {}, { limit: 60 }, { remaining: 5 }, { limit: 60, remaining: 0 }].map((rateLimit) =>
    // The check reads nothing else of a call.
    Checks.checkRateLimit({ rateLimit } as never)
  ),
  ...[
    "<html>",
    "null",
    "7",
    '{"data":{}}',
    '{"data":[]}',
    '{"data":[],"hasMore":null,"page":0,"pageSize":"10"}',
    '{"data":[],"hasMore":false,"page":0,"pageSize":10}'
  ].map(Checks.checkEnvelope),
  Checks.checkPaging([], [], 2),
  Checks.checkPaging([event(1), event(2)], [], 1),
  Checks.checkPaging([event(1)], [event(2), event(3)], 1),
  Checks.checkPaging([event(1)], [], 2),
  Checks.checkPaging([event(1), event(2)], [event(3)], 2),
  Checks.checkPaging([event(1)], [event(1)], 1),
  Checks.checkPaging([event(91)], [event(91)], 1),
  Checks.checkPaging([event(1), event(2)], [event(2), event(3)], 2),
  Checks.checkPaging([event(2)], [event(1)], 2),
  Checks.checkPaging([event(1), event(2, "")], [event(1, undefined), event(4)].slice(1), 2),
  Checks.checkPaging([event(1)], [event(2, new Date(now - 1000).toISOString())], 2),
  // The check reads nothing else of a connection.
  ...[undefined, { vendor: "acme", values: ["acme-cloud"], places: 3 }].flatMap((found) => [
    Checks.checkVendor({ name: "eu", isConfigured: true } as never, [], found),
    Checks.checkVendor({ name: "eu", isConfigured: false, vendor: "acme" } as never, [event(1)], found),
    Checks.checkVendor({ name: "eu", isConfigured: false } as never, [event(1)], found)
  ]),
  Checks.checkDrift([], [], 0),
  Checks.checkDrift([], [], 1),
  Checks.checkDrift([difference("unknown-field", "data[].a")], [], 2),
  Checks.checkDrift([difference("unknown-field", "data[].a")], [difference("unknown-field", "data[].a")], 2),
  Checks.checkDrift([difference("unknown-field", "data[].a"), difference("unreadable", "data[]")], [], 2),
  ...[[], [10, 20, 5000], [1000], [2000], Array.from({ length: 40 }, (_, at) => at)].map(Checks.checkLatency)
]

it("the checks of doctor return a result, evidence and advice", async () => {
  const lines = checks.map(({ advice, check, evidence, result }) =>
    [`${check}: ${result}`, evidence, ...(advice === "" ? [] : [advice])].join(" | ")
  )
  await expect(`${lines.join("\n")}\n`).toMatchFileSnapshot("../../../test/golden/checks.txt")
})
