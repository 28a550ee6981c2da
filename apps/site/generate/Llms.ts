/**
 * `llms.txt`, an index of all pages, and `llms-full.txt`, all pages in one file (https://llmstxt.org).
 */
import { docsUrl } from "@signalbox/core/DocsUrl"
import type { Page } from "./Page.ts"

const about =
  "Signalbox is a TypeScript toolkit for a subscriber notification service: a typed SDK, a stateful fake for tests, a terminal UI and a command line."

/** The index. */
export const llmsIndex = (pages: ReadonlyArray<Page>): string =>
  [
    "# Signalbox",
    "",
    `> ${about}`,
    "",
    "## Pages",
    "",
    ...pages.map(({ description, route, title }) => `- [${title}](${docsUrl ?? ""}/${route}/): ${description}`),
    ""
  ].join("\n")

/** All pages. */
export const llmsFull = (pages: ReadonlyArray<Page>): string =>
  [`# Signalbox\n\n> ${about}`, ...pages.map(({ body, title }) => `# ${title}\n\n${body}`)].join("\n\n---\n\n") + "\n"
