import { Fault } from "../../src/index.ts"

/** One way in which a request can go wrong for its client. */
export interface EndingRow {
  readonly name: string
  /** `"down"`: nobody listens; a fault says so where there is no socket. */
  readonly fault: Fault.Fault | "down"
  /** When the client takes its request back, with a reason of its own: without an answer, or in the middle of one. */
  readonly leaves?: "waiting" | "reading"
  /** What the client does about redirects; by itself it follows them. */
  readonly redirect?: RequestRedirect
}

/** Every way in which a request can go wrong for its client. */
const endingTable: ReadonlyArray<EndingRow> = [
  { name: "refused", fault: "down" },
  { name: "reset before anything is done", fault: Fault.reset() },
  { name: "reset while answering", fault: Fault.reset({ at: "answering" }) },
  { name: "closed before anything is done", fault: Fault.close() },
  { name: "closed while answering", fault: Fault.close({ at: "answering" }) },
  { name: "garbage", fault: Fault.garbage() },
  { name: "never answered", fault: Fault.hang(), leaves: "waiting" },
  { name: "answered too late", fault: Fault.latency(1_000), leaves: "waiting" },
  ...[0, 5].flatMap((afterBytes): ReadonlyArray<EndingRow> => [
    { name: `body reset after ${afterBytes} bytes`, fault: Fault.cutBody({ afterBytes, ending: "reset" }) },
    { name: `body closed after ${afterBytes} bytes`, fault: Fault.cutBody({ afterBytes, ending: "close" }) },
    { name: `body of garbage after ${afterBytes} bytes`, fault: Fault.cutBody({ afterBytes, ending: "garbage" }) },
    {
      name: `body stuck after ${afterBytes} bytes`,
      fault: Fault.cutBody({ afterBytes, ending: "hang" }),
      leaves: "reading"
    }
  ]),
  { name: "slow body", fault: Fault.slowBody({ bytes: 32, everyMillis: 1 }) },
  { name: "body too slow", fault: Fault.slowBody({ bytes: 1, everyMillis: 1_000 }), leaves: "reading" },
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
  { name: "redirect to the same place", fault: Fault.status(302, { headers: { location: "" } }) },
  { name: "redirect without end", fault: Fault.status(307, { headers: { location: "?more" }, times: "always" }) },
  { name: "redirect to nowhere", fault: Fault.status(307, { headers: { location: "http://" } }) },
  { name: "redirect to another scheme", fault: Fault.status(302, { headers: { location: "ftp://127.0.0.1/" } }) },
  { name: "redirect to data", fault: Fault.status(303, { headers: { location: "data:,here" } }) },
  { name: "redirect with a name", fault: Fault.status(307, { headers: { location: "http://ana:pass@127.0.0.1:1/" } }) },
  { name: "redirect without a location", fault: Fault.status(307) },
  {
    name: "redirect that is not followed",
    fault: Fault.status(302, { headers: { location: "/elsewhere" } }),
    redirect: "manual"
  },
  {
    name: "redirect that is not wanted",
    fault: Fault.status(302, { headers: { location: "/elsewhere" } }),
    redirect: "error"
  },
  { name: "rate limit", fault: Fault.rateLimited({ retryAfter: 2 }) },
  { name: "an unknown field", fault: Fault.drift({ kind: "unknown-field" }) }
]

/** How a request is sent that goes wrong. */
export type EndingMethod = "GET" | "PATCH" | "POST"

/** One request that goes wrong. */
export interface Ending {
  readonly name: string
  readonly row: EndingRow
  readonly method: EndingMethod
}

/** A redirect of a POST is followed otherwise than that of a PATCH. */
const methodsOf = ({ name }: EndingRow): ReadonlyArray<EndingMethod> =>
  name.startsWith("redirect") ? ["GET", "PATCH", "POST"] : ["GET", "PATCH"]

/** Every row with every method that makes a difference. */
export const endings: ReadonlyArray<Ending> = endingTable.flatMap((row) =>
  methodsOf(row).map((method) => ({ name: `${row.name}, ${method}`, row, method }))
)
