import { deliveryTable } from "./DeliveryTable.ts"

const rowsOf = (delivery: string): ReadonlyArray<string> =>
  deliveryTable.filter((row) => row.delivery === delivery).map(({ name }) => `- ${name}`)

const exactRows: ReadonlyArray<string> = deliveryTable.flatMap(({ exactDelivery, name }) => {
  if (exactDelivery === undefined) return []
  return exactDelivery === "either" ? [`- ${name}, if it happens before the request is written`] : [`- ${name}`]
})

/** `docs/delivery.md`, from the table. */
export const deliveryPage = (): string =>
  [
    "# Delivery of requests without a response",
    "",
    "A call without a response fails with `TransportFailure`. Its `delivery` is `not-sent` only if no attempt sent a single",
    "byte of the request, and `unknown` otherwise. After a timeout, delivery is also unknown. Requests that were not sent are",
    "always retried. Requests with unknown delivery are retried only if applying them twice is harmless; see",
    "[errors](errors.md).",
    "",
    "The tests of `@signalbox/core` reproduce each case with a read and a write, over real sockets, with the `fetch` of",
    "Node 20, 22 and 24 and with undici. This page is generated from their table.",
    "",
    "## Not sent",
    "",
    ...rowsOf("not-sent"),
    "",
    "## Unknown",
    "",
    "With `fetch`, a reset of a kept-alive connection looks the same whether or not the service applied the request, so",
    "delivery is unknown.",
    "",
    ...rowsOf("unknown"),
    "",
    "## Arrived",
    "",
    "A response whose head arrived proves that the request did, although its body broke off. Its status is the reason: 404 is",
    "`NotFound`, 429 is `RateLimited`. With a 2xx it is `MalformedResponse` with `isCutOff`, retried like unknown delivery.",
    "",
    ...rowsOf("arrived"),
    "",
    "## Over undici",
    "",
    "[`@signalbox/sdk/node`](sdk/node.md) knows whether it wrote the request. There, these cases are also `not-sent`:",
    "",
    ...exactRows,
    "",
    "## Outside Node",
    "",
    "Bun and Deno report that they could not connect, so delivery is `not-sent`, also when a Deno program runs without",
    "`--allow-net`. workerd and browsers report a refused connection like one that was lost, so delivery is `unknown`. The",
    "tests of the packed SDK reproduce this on each of them.",
    ""
  ].join("\n")
