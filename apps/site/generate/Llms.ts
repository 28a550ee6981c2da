/**
 * `llms.txt`, an index of all pages with the start pages first, and the full text of each area in a file (https://llmstxt.org).
 */
import { docsUrl } from "@signalbox/core/internal/errors/DocsUrl"
import type { Page } from "./Page.ts"

const about =
  "Signalbox is a TypeScript toolkit for a subscriber notification service: a typed SDK, a stateful fake for tests, a terminal UI and a command line."

/** An area of the documentation: one reader's pages. */
interface Area {
  readonly name: string
  /** File of the full text. */
  readonly file: string
  readonly has: (route: string) => boolean
}

const inFolder =
  (...folders: ReadonlyArray<string>) =>
  (route: string): boolean =>
    folders.some((folder) => route === folder || route.startsWith(`${folder}/`))

const aboutClients = inFolder("testing/check", "testing/go-and-java", "testing/http", "testing/python", "testing/sweep")

const areas: ReadonlyArray<Area> = [
  { name: "Start", file: "start", has: inFolder("start") },
  { name: "How to", file: "howto", has: inFolder("howto") },
  { name: "SDK", file: "sdk", has: inFolder("sdk") },
  {
    name: "Testing with the fake",
    file: "testing",
    has: (route) => inFolder("testing")(route) && !aboutClients(route)
  },
  { name: "Testing clients in any language", file: "clients", has: aboutClients },
  { name: "Command line", file: "cli", has: inFolder("cli", "connections", "mcp-security") },
  { name: "Terminal UI", file: "tui", has: inFolder("tui", "causes") },
  { name: "Bulk runs", file: "bulk", has: inFolder("bulk") },
  { name: "Operations", file: "operations", has: inFolder("operations", "api", "support") },
  { name: "Errors", file: "errors", has: inFolder("errors", "delivery") },
  {
    name: "Command, switches and faults of the fake",
    file: "fake",
    has: inFolder("fake-command", "fake-switches", "fake-faults")
  },
  { name: "Examples", file: "examples", has: inFolder("examples") }
]

const linkOf = ({ description, route, title }: Page): string =>
  `- [${title}](${docsUrl ?? ""}/${route}/): ${description}`

const section = (name: string, lines: ReadonlyArray<string>): ReadonlyArray<string> =>
  lines.length === 0 ? [] : [`## ${name}`, "", ...lines, ""]

/** The index: areas in the order in which a reader needs them, and everything else under "Optional". */
export const llmsIndex = (pages: ReadonlyArray<Page>): string => {
  const rest = pages.filter(({ route }) => !areas.some(({ has }) => has(route)))
  return [
    "# Signalbox",
    "",
    `> ${about}`,
    "",
    ...areas.flatMap(({ file, has, name }) => {
      const links = pages.filter(({ route }) => has(route)).map(linkOf)
      return section(
        name,
        links.length === 0 ? [] : [...links, `- [All of this section](${docsUrl ?? ""}/llms/${file}.txt)`]
      )
    }),
    ...section("Optional", rest.map(linkOf))
  ].join("\n")
}

/** The full text of each area, by file. */
export const llmsTexts = (pages: ReadonlyArray<Page>): Readonly<Record<string, string>> =>
  Object.fromEntries(
    areas.flatMap(({ file, has, name }) => {
      const bodies = pages.filter(({ route }) => has(route)).map(({ body, title }) => `# ${title}\n\n${body}`)
      return bodies.length === 0 ? [] : [[`${file}.txt`, `# Signalbox: ${name}\n\n${bodies.join("\n\n---\n\n")}\n`]]
    })
  )
