import { deliveryTable } from "./DeliveryTable.ts"

const rowsOf = (delivery: string): ReadonlyArray<string> =>
  deliveryTable.filter((row) => row.delivery === delivery).map(({ name }) => `- ${name}`)

/** `docs/delivery.md`, from the table. */
export const deliveryPage = (): string =>
  [
    "# What is known without an answer",
    "",
    "A call that got no answer fails with `TransportFailure`, and its `delivery` says what is known: `not-sent` only when it",
    "is proven of every attempt that no byte of the request left, `unknown` in every other case. A timeout proves nothing",
    "either. What was not sent is always repeated; what is unknown only where a second time does no harm, see",
    "[errors](errors.md).",
    "",
    "The tests of `@signalbox/core` make each of these happen to a read and a write, over real sockets on the `fetch` of",
    "Node 20, 22 and 24. This page is generated from their table.",
    "",
    "## Not sent",
    "",
    ...rowsOf("not-sent"),
    "",
    "## Unknown",
    "",
    "On `fetch` a reset of a kept-alive connection looks the same before the service read the request and after it did the",
    "work, so nothing here claims to know.",
    "",
    ...rowsOf("unknown"),
    ""
  ].join("\n")
