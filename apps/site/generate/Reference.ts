/**
 * The API reference: a page for each entry point of the libraries, with a section for each export.
 */
import { type EntryPoint, type Export } from "./Declarations.ts"
import type { Page } from "./Page.ts"

const titleOf = (specifier: string): string => specifier.replace(/^@signalbox\//, "")

const routeOf = (specifier: string): string => `reference/${titleOf(specifier).toLowerCase()}`

const anchorOf = (heading: string): string =>
  heading
    .replaceAll(/\s+/g, " ")
    .toLowerCase()
    .replaceAll(/[^\w -]/g, "")
    .replaceAll(" ", "-")

/** Declarations are not `ts`, whose blocks can be run. */
const fence = (text: string): string => `\`\`\`typescript\n${text}\n\`\`\``

const maxLines = 120
const maxLineLength = 400

/** Sections of the API document become links; text in angle brackets and braces is text. */
const prose = (text: string): string =>
  text.replaceAll(
    /\(API document: ([^),]+)(?:,\s+([^)]+))?\)/g,
    (whole, section: string, subsection: string | undefined) =>
      `([${whole.slice(1, -1).replaceAll(/\s+/g, " ")}](/api/#${anchorOf(subsection ?? section)}))`
  )

/** A declaration without what only the compiler needs. */
const readable = (declaration: string): string =>
  declaration
    .replaceAll(/ extends (?:\/\* @__PURE__ \*\/ )?\w+_base(?:<[^{]*>)?(?= \{)/g, "")
    .replaceAll("/* @__PURE__ */ ", "")
    .replaceAll(/\{@link(?:code)? ([^}]+)\}/g, "`$1`")

/** Types that the compiler wrote can have thousands of lines. */
const shortened = (declaration: string): string => {
  const lines = declaration
    .split("\n")
    .map((line) => (line.length > maxLineLength ? `${line.slice(0, maxLineLength)} …` : line))
  return lines.length > maxLines ? [...lines.slice(0, maxLines / 3), "// …"].join("\n") : lines.join("\n")
}

const isType = ({ declaration }: Export): boolean =>
  /^(?:type|interface) /.test(declaration) && !/\n\nconst /.test(declaration)

const section = (exported: Export): ReadonlyArray<string> => {
  const { declaration, documentation, examples, from, name, tags } = exported
  const deprecated = tags.filter(([tag]) => tag === "deprecated").map(([, text]) => `**Deprecated.** ${prose(text)}`)
  const thrown = tags.filter(([tag]) => tag === "throws").map(([, text]) => `- ${prose(text).replaceAll("\n", " ")}`)
  const home = from === undefined ? [] : [`From [\`${from}\`](/${routeOf(from)}/).`]
  return [
    `### ${name}`,
    ...deprecated,
    prose(documentation),
    ...home,
    ...(declaration === "" ? [] : [fence(shortened(readable(declaration)))]),
    ...(thrown.length === 0 ? [] : [`**Throws**\n\n${thrown.join("\n")}`]),
    ...examples.flatMap((example) => ["**Example**", example])
  ].filter((block) => block.trim() !== "")
}

const group = (heading: string, exports: ReadonlyArray<Export>): ReadonlyArray<string> =>
  exports.length === 0 ? [] : [`## ${heading}`, ...exports.flatMap(section)]

/** The page of an entry point. */
export const referencePage = ({ documentation, exports, specifier }: EntryPoint, order: number): Page => {
  const title = titleOf(specifier)
  return {
    route: routeOf(specifier),
    isIndex: !title.includes("/"),
    title: specifier,
    description: prose(documentation).split(/[.:]?\n/)[0] || `Reference of ${specifier}.`,
    order,
    body: [
      prose(documentation),
      fence(`import { … } from "${specifier}"`),
      ...group(
        "Values",
        exports.filter((exported) => !isType(exported))
      ),
      ...group("Types", exports.filter(isType))
    ]
      .filter((block) => block.trim() !== "")
      .join("\n\n")
  }
}

/** Where the reference has each export of the entry points that guides use, by its name. */
export const symbolLinks = (entryPoints: ReadonlyArray<EntryPoint>): ReadonlyMap<string, string> => {
  const links = new Map<string, string>()
  for (const main of [
    "@signalbox/sdk",
    "@signalbox/test-harness",
    "@signalbox/test-harness/server",
    "@signalbox/bulk"
  ]) {
    const entry = entryPoints.find(({ specifier }) => specifier === main)
    for (const { name } of entry?.exports ?? []) {
      if (!links.has(name)) links.set(name, `/${routeOf(main)}/#${anchorOf(name)}`)
    }
  }
  return links
}
