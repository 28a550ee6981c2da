/**
 * Checks the clients of the table and writes `docs/testing/check.md`; with a name and a number, checks that client with as
 * many programs and prints the report.
 */
import { readFileSync, writeFileSync } from "node:fs"
import { checkedClients } from "./CheckedClients.ts"
import { reportOn, tablePage, tableRuns, withTables } from "./CheckTable.ts"

const [name, runs] = process.argv.slice(2)
if (name === undefined) {
  writeFileSync(tablePage, await withTables(readFileSync(tablePage, "utf8")))
} else if (Object.hasOwn(checkedClients, name)) {
  const report = await reportOn(name, Number(runs ?? tableRuns))
  process.stdout.write(`${report.text}\n`)
  if (report.findings.length > 0) process.exitCode = 1
} else {
  process.stderr.write(`unknown client "${name}"; expected one of: ${Object.keys(checkedClients).join(", ")}\n`)
  process.exitCode = 2
}
