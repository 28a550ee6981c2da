import { collectWithAndWithoutJit } from "../Rounds.ts"
import type { Report, TimedRow } from "../Row.ts"
import { timedRows } from "../Row.ts"

const rounds = 25
const program = new URL("../processes/decode.ts", import.meta.url)

const row = (id: string, label: string, process: "plain" | "jit", name: string): TimedRow => ({
  id: `decode/${id}`,
  label,
  contestant: `${process} ${name}`,
  baseline: { id: "decode/parse", contestant: `${process} parse` }
})

/** Decoding a parsed page of 50 events compared with `JSON.parse` of its text; the JIT runs in its own process. */
export const decode = async (): Promise<Report> => {
  const measured = await collectWithAndWithoutJit(rounds, program)
  return {
    suite: "decode",
    rows: timedRows(measured, [
      { id: "decode/parse", label: "JSON.parse", contestant: "plain parse" },
      row("contract", "contract schema", "plain", "contract"),
      row("contract-jit", "contract schema, JIT", "jit", "contract"),
      row("read", "read schema", "plain", "read"),
      row("read-jit", "read schema, JIT", "jit", "read"),
      row("reader", "tolerant reader with drift walker", "plain", "reader"),
      row("reader-jit", "tolerant reader with drift walker, JIT", "jit", "reader"),
      row("zod", "zod 4, equal schema", "plain", "zod"),
      row("novu", "@novu/api, its own schema", "plain", "novu")
    ]),
    observations: []
  }
}
