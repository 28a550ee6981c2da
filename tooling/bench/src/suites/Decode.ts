import { collectApart } from "../Rounds.ts"
import type { Findings, TimedRow } from "../Row.ts"
import { timedRows } from "../Row.ts"

const program = new URL("../processes/decode.ts", import.meta.url)

const row = (name: string, label: string): TimedRow => ({
  id: `decode/${name}`,
  label,
  contestant: name,
  baseline: "decode/parse"
})

/** Decoding parsed pages of 50 events compared with `JSON.parse` of their text. No page is decoded twice in a row. */
export const decode = async (): Promise<Findings> => ({
  rows: timedRows(await collectApart({ processes: 1, rounds: 25 }, program, [[]]), [
    { id: "decode/parse", label: "JSON.parse", contestant: "parse" },
    row("contract", "contract schema"),
    row("read", "read schema"),
    row("reader", "tolerant reader with drift walker"),
    row("zod", "zod 4, equal schema"),
    row("novu", "@novu/api, its own schema")
  ])
})
