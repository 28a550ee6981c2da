import { keyFor } from "../../actions/Action.ts"
import { counted } from "@signalbox/operator/text/Counted"
import { duration } from "@signalbox/operator/text/Moment"
import type { RequestRecord } from "../../state/Requests.ts"
import type { State } from "../../state/State.ts"
import type { Area } from "../../view/Area.ts"
import { fact } from "../../view/Fact.ts"
import { asItem, block, cell, inset, row, type Row, rule, span } from "../../view/Row.ts"
import { requestsFoot } from "../Layout.ts"
import { requestsOf, type RequestsScreen } from "./RequestsScreen.ts"
import { zoneOf } from "../../view/Times.ts"

/** Cells of the request ids, where there is room for them and a response had one. */
const idColumnsIn = (requests: ReadonlyArray<RequestRecord>, columns: number): number =>
  columns >= 100 && requests.some(({ requestId }) => requestId !== undefined) ? 24 : 0

const titles = (heading: string, idColumns: number, columns: number): Row =>
  row(
    [
      cell(`  ${heading}`, 15, "dim"),
      cell("STATUS", 14, "dim"),
      cell("    TOOK", 10, "dim"),
      cell("METHOD", 7, "dim"),
      cell("PATH", Math.max(10, columns - 47 - idColumns), "dim"),
      ...(idColumns === 0 ? [] : [span(" "), cell("REQUEST ID", idColumns - 1, "dim")])
    ],
    columns,
    { spoken: "" }
  )

/** The target to read: decoded, and the page first, which a narrow column would cut off. */
const readable = (target: string): string => {
  const [path = "", query = ""] = target.split("?")
  const pairs = Array.from(new URLSearchParams(query), ([name, value]) => `${name}=${value}`)
  const isPage = (pair: string) => pair.startsWith("page=")
  return [path, ...pairs.filter(isPage), ...pairs.filter((pair) => !isPage(pair))].join(" ")
}

const requestRow = (
  request: RequestRecord,
  isCurrent: boolean,
  idColumns: number,
  state: State,
  columns: number
): Row => {
  const { durationMs, method, number, outcome, requestId, status, target } = request
  const failed = outcome !== "success"
  const { glyphs } = state.settings
  const result = `${failed ? glyphs.failed : glyphs.ok} ${status ?? "none"}${number > 1 ? ` retry ${number - 1}` : ""}`
  return row(
    [
      span(isCurrent ? glyphs.cursor : " ", "accent"),
      span(" "),
      cell(zoneOf(state).preciseClock(request.startedAt), 13, "dim"),
      cell(result, 14, failed ? "failed" : "ok"),
      cell(duration(durationMs).padStart(8), 10),
      cell(method, 7),
      cell(readable(target), Math.max(10, columns - 47 - idColumns)),
      ...(idColumns === 0 ? [] : [span(" "), cell(requestId ?? "", idColumns - 1, "dim")])
    ],
    columns,
    {
      selected: isCurrent,
      listed: true,
      spoken: `${isCurrent ? "current, " : ""}${method} ${target}: ${status ?? "no response"} in ${duration(durationMs)}, ${outcome}`
    }
  )
}

const details = (request: RequestRecord, columns: number): ReadonlyArray<Row> => [
  ...fact("request", `${request.method} ${request.target}`, columns),
  ...fact(
    "outcome",
    `${request.outcome}${request.status === undefined ? ", no response" : `, status ${request.status}`} in ${duration(request.durationMs)}`,
    columns
  ),
  ...(request.number > 1
    ? fact("retry", `number ${request.number - 1}, after a wait of ${duration(request.delayMs)}`, columns)
    : []),
  ...fact("request id", request.requestId ?? "the response had none", columns)
]

/** Every request, the latest first, and the details of the one under the cursor. */
export const requestsView = (state: State, screen: RequestsScreen, { columns, height }: Area): ReadonlyArray<Row> => {
  const requests = requestsOf(state)
  const foot = requestsFoot(height)
  const failed = requests.filter(({ outcome }) => outcome !== "success").length
  const current = requests[screen.cursor.at]
  const { top } = screen.cursor
  const idColumns = idColumnsIn(requests, columns)
  const rows = requests
    .slice(top, top + height - 2 - foot)
    .map((request, index) =>
      asItem(requestRow(request, top + index === screen.cursor.at, idColumns, state, columns), top + index)
    )
  return [
    row([span(` ${counted(requests.length, "request")}, ${failed} failed; newest first`, "dim")], columns),
    titles(zoneOf(state).heading, idColumns, columns),
    ...block(
      rows.length === 0 ? [row([span("  no request has been made", "dim")], columns)] : rows,
      height - 2 - foot,
      columns
    ),
    rule(columns, state.settings.glyphs.line, `REQUEST, ${keyFor(state, "copy logged request")} copies it as cURL`),
    ...block(current === undefined ? [] : details(current, columns - 2).map(inset(1)), foot - 1, columns)
  ]
}
