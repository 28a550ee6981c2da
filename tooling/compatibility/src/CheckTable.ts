/**
 * The tables of rules and clients in `docs/testing/check.md`.
 */
import { checkClient, CheckFailed, type CheckReport, checkRules } from "@signalbox/test-harness"
import { checkedClients } from "./CheckedClients.ts"

/** Programs for each client. */
export const tableRuns = 200

/** The page with the table. */
export const tablePage = new URL("../../../docs/testing/check.md", import.meta.url)

/** The report on a client, whether it passed or not. */
export const reportOn = async (name: string, runs: number): Promise<CheckReport> => {
  const client = checkedClients[name]
  if (client === undefined) throw new RangeError(`unknown client ${name}`)
  const { target, vendor } = client
  try {
    return await checkClient(target, { runs, ...(vendor === undefined ? {} : { vendor }) })
  } catch (error) {
    if (error instanceof CheckFailed) return error.report
    throw error
  }
}

/** The table in Markdown: a column for each client, a row for each rule that one of them broke. */
const clientTable = async (): Promise<string> => {
  const names = Object.keys(checkedClients)
  const reports: Array<CheckReport> = []
  for (const name of names) reports.push(await reportOn(name, tableRuns))
  const rules = [...new Set(reports.flatMap(({ findings }) => findings.map(({ rule }) => rule)))].toSorted()
  const rows = rules.map((rule) => {
    const counts = reports.map(({ findings }) => findings.find((finding) => finding.rule === rule)?.programs ?? 0)
    return [`\`${rule}\``].concat(counts.map((count) => (count === 0 ? "–" : String(count))))
  })
  return [["Rule", ...names], ["---", ...names.map(() => "---:")], ...rows]
    .map((cells) => `| ${cells.join(" | ")} |`)
    .join("\n")
}

/** The rules in Markdown. */
const rulesTable = (): string =>
  [
    "| Rule | Demands |",
    "| --- | --- |",
    ...Object.entries(checkRules).map(([name, { summary }]) => `| \`${name}\` | ${summary} |`)
  ].join("\n")

const between = (page: string, name: string, table: string): string =>
  page.replace(new RegExp(`(?<=<!-- ${name}: .*? -->\n).*?(?=<!-- /${name} -->)`, "su"), () => `\n${table}\n\n`)

/** A page with both tables between their markers. */
export const withTables = async (page: string): Promise<string> =>
  between(between(page, "rules", rulesTable()), "clients", await clientTable())
