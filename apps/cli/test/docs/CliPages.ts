/**
 * The pages of docs/cli, written from the definitions of the commands.
 */
import type { HelpDoc } from "effect/cli/HelpDoc"
import { checks, exitCodeMeanings, exitCodeOfReason, exitCodes } from "../../src/failure/ExitCode.ts"
import { pathOf } from "../../src/failure/UsageLine.ts"
import { argumentRows, commandRows, flagRows, usageOf } from "../../src/help/HelpText.ts"

/** One page by its file name. */
export interface Page {
  readonly file: string
  readonly text: string
}

type Row = readonly [string, string]

const generated = "<!-- Generated from the definitions of the commands; see CONTRIBUTING.md. -->"

const cell = (text: string): string => text.replaceAll("|", "\\|")

const code = (text: string): string => `\`${text}\``

const table = (head: Row, rows: ReadonlyArray<Row>): string =>
  [head, ["---", "---"] as const, ...rows].map(([left, right]) => `| ${cell(left)} | ${cell(right)} |`).join("\n")

const coded = (rows: ReadonlyArray<Row>): ReadonlyArray<Row> => rows.map(([name, text]) => [code(name), text])

const section = (heading: Row, rows: ReadonlyArray<Row>): ReadonlyArray<string> =>
  rows.length === 0 ? [] : [table(heading, coded(rows))]

const examplesOf = ({ examples = [] }: HelpDoc): ReadonlyArray<string> =>
  examples.length === 0
    ? []
    : [
        [
          "```sh",
          ...examples.flatMap(({ command, description }) => [
            ...(description === undefined ? [] : [`# ${description}`]),
            command
          ]),
          "```"
        ].join("\n")
      ]

/** A flag of at least as many commands is described once, in the overview. */
const leastShared = 5

/** The flags that many commands have, with the same meaning. */
const sharedFlags = (docs: ReadonlyArray<HelpDoc>): ReadonlyMap<string, string> => {
  const counts = new Map<string, number>()
  const rows = docs.flatMap(flagRows)
  for (const row of rows) counts.set(row.join(), (counts.get(row.join()) ?? 0) + 1)
  return new Map(rows.filter((row) => (counts.get(row.join()) ?? 0) >= leastShared))
}

const commandText = (doc: HelpDoc, shared: ReadonlyMap<string, string>): ReadonlyArray<string> => {
  const isShared = ([name, text]: Row) => shared.get(name) === text
  const names = flagRows(doc).flatMap((row) => (isShared(row) ? [code(row[0].replace(/^-\w, | .*$/gu, ""))] : []))
  return [
    doc.description,
    `\`\`\`\n${usageOf(doc)}\n\`\`\``,
    ...section(["Command", ""], commandRows(doc)),
    ...section(["Argument", ""], argumentRows(doc)),
    ...section(
      ["Flag", ""],
      flagRows(doc).filter((row) => !isShared(row))
    ),
    ...(names.length === 0 ? [] : [`[Flags of many commands](README.md#flags-of-many-commands): ${names.join(", ")}.`]),
    ...examplesOf(doc)
  ]
}

const below = (group: HelpDoc, docs: ReadonlyArray<HelpDoc>): ReadonlyArray<HelpDoc> =>
  docs.filter((doc) => pathOf(doc).startsWith(`${pathOf(group)} `))

const page = (file: string, parts: ReadonlyArray<string>): Page => ({
  file,
  text: `${[generated, ...parts].join("\n\n")}\n`
})

const exitCodePage = (): Page =>
  page("exit-codes.md", [
    "# Exit codes",
    table(
      ["Code", "Meaning"],
      Object.entries(exitCodeMeanings).map(([name, meaning]) => [
        String(exitCodes[name as keyof typeof exitCodes]), // the keys of both tables are the same
        meaning
      ])
    ),
    "These checks exit with 1:",
    table(["Check", "Fails for"], coded(Object.entries(checks))),
    "A program that a second signal ends, a program that `fake exec` runs, and the terminal UI after a crash give their own exit codes.",
    "## Reasons of failed calls",
    "With `--json`, an error is one line of JSON on stderr. Its `error.reason` is one of these; `Usage` where nothing was sent; or `CheckFailed`, `Defect`, `NotFound`, `Refused`, `Unavailable`, `Partial`, `Paused` or `Declined` where a command fails without a failed call.",
    table(
      ["Reason", "Exit code"],
      Object.entries(exitCodeOfReason).map(([reason, exitCode]) => [code(reason), String(exitCode)])
    )
  ])

/** All pages: an overview, one page for each group of commands, and the exit codes. */
export const cliPages = (docs: ReadonlyArray<HelpDoc>): ReadonlyArray<Page> => {
  const [root, ...rest] = docs
  if (root === undefined) return []
  const groups = rest.filter(({ commandPath = [] }) => commandPath.length === 2)
  const shared = sharedFlags(docs)
  const fileOf = (doc: HelpDoc) => `${doc.commandPath?.[1] ?? ""}.md`
  return [
    page("README.md", [
      "# The command line",
      root.description,
      commandRows(root)
        .map(([name, text]) => `- [\`signalbox ${name}\`](${name}.md): ${text}`)
        .join("\n"),
      "## Flags of many commands",
      ...section(["Flag", ""], [...shared]),
      "See also: [exit codes](exit-codes.md), [connections](../connections.md)."
    ]),
    ...groups.map((group) =>
      page(fileOf(group), [
        `# ${pathOf(group)}`,
        ...commandText(group, shared),
        ...below(group, rest).flatMap((doc) => [[`## ${pathOf(doc)}`], commandText(doc, shared)].flat())
      ])
    ),
    exitCodePage()
  ]
}
