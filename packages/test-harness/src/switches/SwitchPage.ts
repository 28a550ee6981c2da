/**
 * The switch table as a page of the documentation.
 */
import { type SwitchName, switchNames, switchRow, switchTable } from "./Switches.ts"

const cell = (text: string): string => text.replaceAll("|", "\\|")

const code = (value: string): string => `\`${value}\``

const line = (name: SwitchName): string => {
  const { adversarial, document, observed, question, values } = switchRow(name)
  return `| ${code(name)} | ${cell(question)} | ${values.map(code).join(", ")} | ${code(document)} | ${code(observed)} | ${code(adversarial)} |`
}

const topics = (): ReadonlyArray<string> => [...new Set(switchNames.map((name) => name.split(".")[0] ?? name))]

const sentences = (names: ReadonlyArray<SwitchName>): ReadonlyArray<string> => [
  ...new Set(names.map((name) => `- *${switchTable[name].section}*: ${switchTable[name].sentence}`))
]

const section = (topic: string): string => {
  const names = switchNames.filter((name) => name === topic || name.startsWith(`${topic}.`))
  return [
    "",
    `## ${topic}`,
    "",
    "What the document says:",
    "",
    ...sentences(names),
    "",
    "| Switch | Question | Values | document | observed | adversarial |",
    "|---|---|---|---|---|---|",
    ...names.map(line)
  ].join("\n")
}

/** The page, in Markdown. */
export const switchPage = (): string =>
  [
    "# Switches of the fake",
    "",
    "The API document leaves questions open. The fake answers each by a switch, so a test can tell whether it rests on an",
    "answer that the document never gave. This page is generated from the table in the code.",
    "",
    "| Preset | Means |",
    "|---|---|",
    "| `document` | the most cautious reading of the document; the default |",
    "| `observed` | what a real implementation was observed to do |",
    "| `adversarial` | the reading that breaks the most careless clients |",
    "| `seeded(n)` | every switch drawn from the seed `n` |",
    ...topics().map(section),
    ""
  ].join("\n")
