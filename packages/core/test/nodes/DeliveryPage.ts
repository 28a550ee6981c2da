import { deliveryTable } from "./DeliveryTable.ts"
import { interruptionTable } from "./InterruptionTable.ts"

const rowsOf = (delivery: string): ReadonlyArray<string> =>
  deliveryTable
    .filter((row) => row.delivery === delivery && !row.isHttp2 && row.advice === undefined)
    .map(({ name }) => `- ${name}`)

const permanentRows: ReadonlyArray<string> = [
  "| failure | what to do |",
  "| --- | --- |",
  ...deliveryTable.flatMap(({ advice, name }) => (advice === undefined ? [] : [`| ${name} | ${advice} |`]))
]

const exactRows: ReadonlyArray<string> = deliveryTable.flatMap(({ exactDelivery, name }) => {
  if (exactDelivery === undefined) return []
  return exactDelivery === "either" ? [`- ${name}, if it happens before the request is written`] : [`- ${name}`]
})

const http2Rows: ReadonlyArray<string> = deliveryTable
  .filter(({ isHttp2 }) => isHttp2)
  .map(({ delivery, name }) => `- ${name.replace("HTTP/2: ", "")}: \`${delivery}\``)

const stages: ReadonlyArray<string> = [
  "| stage of the call | over undici | with `fetch` |",
  "| --- | --- | --- |",
  ...interruptionTable.map(({ exactDelivery, isHttp2, isQueued, name }) => {
    const overFetch = isHttp2 || isQueued ? "" : "`unknown`"
    return `| ${name} | \`${exactDelivery}\` | ${overFetch} |`
  })
]

/** `docs/delivery.md`, from the table. */
export const deliveryPage = (): string =>
  [
    "# Delivery of requests without a response",
    "",
    "A call without a response fails with `TransportFailure`. Its `delivery` is `not-sent` only if no attempt sent a single",
    "byte of the request, and `unknown` otherwise; `Timeout` has the same property. Requests that were not sent are retried,",
    "except after an abort, `close()` and a [permanent failure](#not-retried). Requests with unknown delivery are retried only",
    "if applying them twice is harmless; see [errors](errors.md).",
    "",
    "The tests of `@signalbox/core` reproduce each case with a read and a write, over real sockets, with the `fetch` of",
    "Node 20, 22 and 24 and with undici 7 and 8. This page is generated from their tables.",
    "",
    "## Not sent",
    "",
    ...rowsOf("not-sent"),
    "",
    "`fetch` waits 10 to 12 s for a connection, including its TLS handshake, which is less than the default `attemptMs` of 15 s.",
    "A shorter `attemptMs` ends the attempt first, and `fetch` cannot report whether it was connected: delivery is unknown.",
    "",
    "### Not retried",
    "",
    "The next attempt would fail the same way until a person changes something, so the call fails at once. The error's",
    "`advice` says what to do, also on Deno:",
    "",
    ...permanentRows,
    "",
    "The code `ENOTFOUND`, an unknown name, is permanent, too; `EAI_AGAIN`, a name server that does not respond, is retried.",
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
    "A response whose head arrived proves that the request did, although its body broke off or never ended. Its status is",
    "the reason: 404 is `NotFound`, 429 is `RateLimited`. With a 2xx it is `MalformedResponse` with `isCutOff`, or `Timeout`,",
    "and retried like unknown delivery.",
    "",
    ...rowsOf("arrived"),
    "",
    "## Over undici",
    "",
    "[`@signalbox/sdk/node`](sdk/node.md) knows whether it wrote the request. There, these cases are also `not-sent`:",
    "",
    ...exactRows,
    "",
    "A timeout, an abort and `close()` end a call at any time. `fetch` does not report whether it had written the request;",
    "undici does:",
    "",
    ...stages,
    "",
    "Requests use HTTP/1.1. Over HTTP/2, which an `Agent` of undici 7 with `allowH2: true` uses, `GOAWAY` leaves delivery",
    "unknown, because undici does not report the last stream that the service processed. Each attempt is written once.",
    "",
    ...http2Rows,
    "",
    "## Outside Node",
    "",
    "Bun and Deno report that they could not connect, so delivery is `not-sent`, also when a Deno program runs without",
    "`--allow-net`. workerd and browsers report a refused connection like one that was lost, so delivery is `unknown`. The",
    "tests of the packed SDK reproduce this on each of them.",
    ""
  ].join("\n")
