import { collect } from "../Measure.ts"
import { openRounds } from "../Rounds.ts"
import type { Report, TimedRow } from "../Row.ts"
import { timedRows } from "../Row.ts"

const rounds = 25
const program = new URL("../processes/decode.ts", import.meta.url)

const row = (name: string, label: string): TimedRow => ({
  id: `decode/${name}`,
  label,
  contestant: name,
  baseline: { id: "decode/parse", contestant: "parse" }
})

/** Decoding parsed pages of 50 events compared with `JSON.parse` of their text. No page is decoded twice in a row. */
export const decode = async (): Promise<Report> => {
  const process = await openRounds(program, [])
  try {
    const measured = await collect(rounds, [process.round])
    return {
      suite: "decode",
      rows: timedRows(measured, [
        { id: "decode/parse", label: "JSON.parse", contestant: "parse" },
        row("contract", "contract schema"),
        row("read", "read schema"),
        row("reader", "tolerant reader with drift walker"),
        row("zod", "zod 4, equal schema"),
        row("novu", "@novu/api, its own schema")
      ]),
      observations: []
    }
  } finally {
    process.close()
  }
}
