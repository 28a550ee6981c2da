import { Fault } from "../../src/index.ts"

/** One way in which a request can go wrong for its client. */
export interface FailureRow {
  readonly name: string
  /** `"down"`: nothing listens; without a socket, a fault simulates it. */
  readonly fault: Fault.Fault | "down"
  /** When the client aborts its request with its own reason: without a response, or in the middle of one. */
  readonly leaves?: "waiting" | "reading"
}

/** Every way in which a request can go wrong for its client. */
const failureTable: ReadonlyArray<FailureRow> = [
  { name: "refused", fault: "down" },
  { name: "reset before anything is done", fault: Fault.reset() },
  { name: "reset while answering", fault: Fault.reset({ at: "answering" }) },
  { name: "closed before anything is done", fault: Fault.close() },
  { name: "closed while answering", fault: Fault.close({ at: "answering" }) },
  { name: "garbage", fault: Fault.garbage() },
  { name: "never answered", fault: Fault.hang(), leaves: "waiting" },
  { name: "answered too late", fault: Fault.latency(1_000), leaves: "waiting" },
  ...[0, 5].flatMap((afterBytes): ReadonlyArray<FailureRow> => [
    { name: `body reset after ${afterBytes} bytes`, fault: Fault.cutBody({ afterBytes, failure: "reset" }) },
    { name: `body closed after ${afterBytes} bytes`, fault: Fault.cutBody({ afterBytes, failure: "close" }) },
    { name: `body of garbage after ${afterBytes} bytes`, fault: Fault.cutBody({ afterBytes, failure: "garbage" }) },
    {
      name: `body stuck after ${afterBytes} bytes`,
      fault: Fault.cutBody({ afterBytes, failure: "hang" }),
      leaves: "reading"
    }
  ]),
  { name: "slow body", fault: Fault.slowBody({ bytes: 32, everyMs: 1 }) },
  { name: "body too slow", fault: Fault.slowBody({ bytes: 1, everyMs: 1_000 }), leaves: "reading" },
  { name: "malformed JSON", fault: Fault.malformedJson() },
  { name: "another content type", fault: Fault.contentType("text/plain") },
  { name: "HTML", fault: Fault.html(502) },
  { name: "a status without a body", fault: Fault.status(204) },
  { name: "a status that resets the form", fault: Fault.status(205) },
  { name: "a status without news", fault: Fault.status(304) },
  { name: "a header in Latin-1", fault: Fault.status(503, { headers: { "x-name": "caf\u00e9" } }) },
  { name: "a status with headers", fault: Fault.status(503, { headers: { "Retry-After": "3" }, body: "later" }) },
  ...[301, 302, 303, 307, 308].map((status) => ({
    name: `redirect ${status}`,
    fault: Fault.status(status, { headers: { location: "/elsewhere?a=b#c" } })
  })),
  { name: "redirect without a location", fault: Fault.status(307) },
  { name: "rate limit", fault: Fault.rateLimited({ retryAfterMs: 2_000 }) },
  { name: "an unknown field", fault: Fault.drift({ kind: "unknown-field" }) }
]

/** How a request is sent that goes wrong. */
export type FailureMethod = (typeof methods)[number]
const methods = ["GET", "PATCH"] as const

/** One request that goes wrong. */
export interface FailureCase {
  readonly name: string
  readonly row: FailureRow
  readonly method: FailureMethod
}

/** Every row with every method that makes a difference. */
export const failures: ReadonlyArray<FailureCase> = failureTable.flatMap((row) =>
  methods.map((method) => ({ name: `${row.name}, ${method}`, row, method }))
)
