import { keyFor } from "../../actions/Action.ts"
import { counted } from "@signalbox/operator/text/Counted"
import { duration } from "@signalbox/operator/text/Moment"
import { maxRequests, type RequestRecord } from "../../state/Requests.ts"
import type { State } from "../../state/State.ts"
import type { Area } from "../../view/Area.ts"
import { fact } from "../../view/Fact.ts"
import { block, cell, clipped, inset, row, type Row, rule, span } from "../../view/Row.ts"
import { listHead, listRows } from "../Layout.ts"
import { requestsOf, type RequestsScreen } from "./RequestsScreen.ts"
import { zoneOf } from "../../view/Times.ts"
import { listRowsOf } from "../../view/ListRows.ts"

/** Cells of the columns, each with the space that parts it from the next; `0` leaves a column out. */
interface Columns {
  readonly time: number
  readonly result: number
  readonly request: number
  readonly id: number
}

const resultText = ({ number, outcome, status }: RequestRecord, { glyphs }: State["settings"]): string =>
  `${outcome === "success" ? glyphs.ok : glyphs.failed} ${status ?? "none"}${number > 1 ? ` retry ${number - 1}` : ""}`

const tookColumns = 10

/** The request has what the others leave: the result only takes what its longest wording needs. */
const columnsFor = (requests: ReadonlyArray<RequestRecord>, state: State, columns: number): Columns => {
  const result = 1 + Math.max("STATUS".length, ...requests.map((request) => resultText(request, state.settings).length))
  const time = columns < 80 ? 9 : 13
  const id = columns >= 100 && requests.some(({ requestId }) => requestId !== undefined) ? 24 : 0
  return { time, result, request: Math.max(10, columns - 2 - time - result - tookColumns - id), id }
}

const titles = (heading: string, width: Columns, columns: number): Row =>
  row(
    [
      cell(`  ${heading}`, 2 + width.time, "dim"),
      cell("STATUS", width.result, "dim"),
      cell("    TOOK", tookColumns, "dim"),
      cell("REQUEST", width.request, "dim"),
      cell(width.id === 0 ? "" : "REQUEST ID", width.id, "dim")
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

const requestCells = (request: RequestRecord, width: Columns, state: State, columns: number) => {
  const { durationMs, method, outcome, requestId, startedAt, status, target } = request
  const { clock, preciseClock } = zoneOf(state)
  return {
    cells: [
      span(" "),
      cell((columns < 80 ? clock : preciseClock)(startedAt), width.time, "dim"),
      cell(resultText(request, state.settings), width.result, outcome === "success" ? "ok" : "failed"),
      cell(duration(durationMs).padStart(8), tookColumns),
      cell(`${method} ${readable(target)}`, width.request - 1),
      span(" "),
      cell(width.id === 0 ? "" : (requestId ?? ""), width.id, "dim")
    ],
    words: `${method} ${target}: ${status ?? "no response"} in ${duration(durationMs)}, ${outcome}`
  }
}

/** Everything about one request. */
export const details = (request: RequestRecord, columns: number): ReadonlyArray<Row> => [
  ...fact("request", `${request.method} ${request.target}`, columns),
  ...fact(
    "outcome",
    `${request.outcome}${request.status === undefined ? ", no response" : `, status ${request.status}`} in ${duration(request.durationMs)}`,
    columns
  ),
  ...(request.number > 1
    ? fact("retry", `number ${request.number - 1}, after a wait of ${duration(request.delayMs)}`, columns)
    : []),
  ...fact("request id", request.requestId ?? "the response had none", columns),
  ...fact("cURL", request.curl.replaceAll("\\\n", ""), columns)
]

/** Every request, the latest first, and the details of the one under the cursor. */
export const requestsView = (state: State, screen: RequestsScreen, { columns, height }: Area): ReadonlyArray<Row> => {
  const requests = requestsOf(state)
  const failed = requests.filter(({ outcome }) => outcome !== "success").length
  const current = requests[screen.cursor.at]
  const room = listRows(height - listHead, Math.max(1, requests.length))
  const width = columnsFor(requests, state, columns)
  const seen = { cursor: screen.cursor, height: room, columns, sign: state.settings.glyphs.cursor }
  const rows = listRowsOf(requests, seen, (request) => requestCells(request, width, state, columns))
  return [
    row(
      [
        span(
          ` ${requests.length < maxRequests ? "" : "the last "}${counted(requests.length, "request")}, ${failed} failed; newest first`,
          "dim"
        )
      ],
      columns
    ),
    titles(zoneOf(state).heading, width, columns),
    ...block(rows.length === 0 ? [row([span("  no request has been made", "dim")], columns)] : rows, room, columns),
    rule(columns, state.settings.glyphs.line, `REQUEST, ${keyFor(state, "copy logged request")} copies it as cURL`),
    ...clipped(
      current === undefined ? [] : details(current, columns - 2).map(inset(1)),
      { columns, height: height - listHead - room - 1 },
      keyFor(state, "show all of it")
    )
  ]
}
