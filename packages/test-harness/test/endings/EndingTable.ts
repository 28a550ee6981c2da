import { Fault } from "../../src/index.ts"

/** One way in which a request can go wrong for its client. */
export interface EndingRow {
  readonly name: string
  /** `"down"`: nobody listens; a fault says so where there is no socket. */
  readonly fault: Fault.Fault | "down"
  /** When the client takes its request back, with a reason of its own: without an answer, or in the middle of one. */
  readonly leaves?: "waiting" | "reading"
}

/** Every way in which a request can go wrong for its client. */
export const endingTable: ReadonlyArray<EndingRow> = [
  { name: "refused", fault: "down" },
  { name: "reset before anything is done", fault: Fault.reset() },
  { name: "reset while answering", fault: Fault.reset({ at: "answering" }) },
  { name: "closed before anything is done", fault: Fault.close() },
  { name: "closed while answering", fault: Fault.close({ at: "answering" }) },
  { name: "garbage", fault: Fault.garbage() },
  { name: "never answered", fault: Fault.hang(), leaves: "waiting" },
  { name: "answered too late", fault: Fault.latency(5_000), leaves: "waiting" },
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
  { name: "a status with headers", fault: Fault.status(503, { headers: { "Retry-After": "3" }, body: "later" }) },
  { name: "a redirect that is not followed", fault: Fault.status(302, { headers: { location: "/elsewhere" } }) },
  { name: "rate limit", fault: Fault.rateLimited({ retryAfter: 2 }) },
  { name: "an unknown field", fault: Fault.drift({ kind: "unknown-field" }) }
]
