/**
 * The keys of the filter language with their values, from the table that the terminal UI and the command line use.
 */
import { filterKeys, type KeyRule } from "@signalbox/operator/filter/FilterKey"

const forms: Readonly<Record<Exclude<KeyRule["form"], "name">, string>> = {
  text: "text",
  time: "a time such as `24h` or `2026-11-20`"
}

const valuesOf = ({ form, isPath, names = [], several }: KeyRule): string => {
  if (form !== "name") return several ? `${forms[form]}, one or several` : forms[form]
  return isPath === true ? "a [cause](../causes.md)" : names.map((name) => `\`${name}\``).join(", ")
}

/** The table, in Markdown. */
export const filterTable = (): string =>
  [
    "| Key | Values | Meaning |",
    "| --- | --- | --- |",
    ...Object.entries(filterKeys).map(
      ([key, rule]) =>
        `| \`${rule.test === undefined ? "" : "[-]"}${key}:\` | ${valuesOf(rule)} | ${rule.description} |`
    )
  ].join("\n")
