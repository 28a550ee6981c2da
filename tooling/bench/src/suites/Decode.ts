import { collectApart } from "../Rounds.ts"
import type { Findings } from "../Row.ts"
import { timedRows } from "../Row.ts"

const program = new URL("../processes/decode.ts", import.meta.url)

/** Decoding parsed pages of 50 events compared with `JSON.parse` of their text. No page is decoded twice in a row. */
export const decode = async (): Promise<Findings> => ({
  rows: timedRows(await collectApart({ processes: 1, rounds: 25 }, program, [[]]), [
    { id: "decode/parse", label: "JSON.parse", contestant: "parse" },
    {
      id: "decode/reader",
      label: "tolerant reader with drift walker",
      contestant: "reader",
      baseline: "decode/parse"
    }
  ])
})
