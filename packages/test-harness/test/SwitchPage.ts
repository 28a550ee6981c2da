import { observedVersion } from "../src/switches/SwitchRow.ts"
import { type SwitchName, switchNames, switchRow, switchTable } from "../src/switches/Switches.ts"

const cell = (text: string): string => text.replaceAll("|", "\\|")

const code = (value: string): string => `\`${value}\``

const line = (name: SwitchName): string => {
  const { adversarial, document, observed, observedBefore: before, question, values } = switchRow(name)
  const seen = code(observed) + (before === undefined ? "" : ` (before ${before.date}: ${code(before.value)})`)
  return `| ${code(name)} | ${cell(question)} | ${values.map(code).join(", ")} | ${code(document)} | ${seen} | ${code(adversarial)} |`
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

export const switchPage = (): string =>
  [
    "# Switches of the fake",
    "",
    "The API document leaves some questions open. Each one is a switch of the fake, so a test can show whether it depends on",
    "behaviour that the document does not specify. This page is generated from the switch table in the code.",
    "",
    "| Preset | Meaning |",
    "|---|---|",
    "| `document` | the most cautious reading of the document; the default |",
    `| \`observed\` | what a real service was recorded to do, in version ${observedVersion} |`,
    "| `adversarial` | the reading most likely to break careless clients |",
    "| `seeded(n)` | a value for every switch, drawn at random from the seed `n` |",
    ...topics().map(section),
    ""
  ].join("\n")
