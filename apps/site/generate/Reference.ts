/**
 * The API reference: an index for each entry point of the libraries, and a page for each export.
 */
import type { EntryPoint, Export, Kind } from "./Declarations.ts"
import type { Page } from "./Page.ts"

/** The sidebar on the pages of an entry point. */
export interface ReferenceSidebar {
  readonly specifier: string
  readonly route: string
  readonly groups: ReadonlyArray<{
    readonly heading: string
    readonly exports: ReadonlyArray<{ readonly name: string; readonly route: string }>
  }>
}

/** The reference, and where it has what. */
export interface Reference {
  /** A page for each entry point, which lists its exports. */
  readonly indexes: ReadonlyArray<Page>
  /** A page for each export; `guides` are the pages that link to it, by its link. */
  readonly exportPages: (guides: ReadonlyMap<string, ReadonlyArray<Page>>) => ReadonlyArray<Page>
  /** The sidebars of the reference: the exports that each entry point documents. */
  readonly sidebars: ReadonlyArray<ReferenceSidebar>
  /** The links to exports that guides name, by name. */
  readonly links: ReadonlyMap<string, string>
  /** The exports that have members, such as `Fault`. */
  readonly modules: ReadonlySet<string>
}

const titleOf = (specifier: string): string => specifier.replace(/^@signalbox\//, "")

const routeOfEntry = (specifier: string): string => `reference/${titleOf(specifier).toLowerCase()}`

const anchorOf = (heading: string): string =>
  heading
    .replaceAll(/\s+/g, " ")
    .toLowerCase()
    .replaceAll(/[^\w -]/g, "")
    .replaceAll(" ", "-")

/** Declarations are not `ts`, whose blocks can be run. */
const fence = (text: string): string => `\`\`\`typescript wrap\n${text}\n\`\`\``

const maxLines = 160
const maxLineLength = 400

/** Sections of the API document become links. */
const prose = (text: string): string =>
  text.replaceAll(
    /\(API document: ([^),]+)(?:,\s+([^)]+))?\)/g,
    (whole, section: string, subsection: string | undefined) =>
      `([${whole.slice(1, -1).replaceAll(/\s+/g, " ")}](/api/#${anchorOf(subsection ?? section)}))`
  )

/** The first sentence, on one line, without the section of the API document. */
const summaryOf = (text: string): string => {
  const [paragraph = ""] = text.trim().split(/\n\s*\n/)
  const line = paragraph.replaceAll(/\s+/g, " ").replaceAll(/ \(API document: [^)]+\)/g, "")
  return /^.*?[^.][.:](?= [A-Z`*]|$)/.exec(line)?.[0].replace(/:$/, ".") ?? line
}

/** A declaration without the parts that only the compiler needs. */
const readable = (declaration: string): string =>
  declaration
    .replaceAll(/ extends (?:\/\* @__PURE__ \*\/\s*)?\w+_base(?:<[^{]*>)?(?= \{)/g, "")
    .replaceAll(/\/\* @__PURE__ \*\/\s*/g, "")
    .replaceAll(/\{@link(?:code)? ([^}]+)\}/g, "`$1`")

const exampleOfMember = /(\n *\*)? *\n *\* @example\n((?: *\*(?!\/).*\n)+?)(?= *\*\/| *\* @)/g

/** The examples in the comments of members, which are shown like all others. */
const examplesOfMembers = (declaration: string): ReadonlyArray<string> =>
  [...declaration.matchAll(exampleOfMember)].map(([, , example = ""]) => example.replaceAll(/^ *\* ?/gm, "").trim())

const withoutExamples = (declaration: string): string =>
  declaration.replaceAll(exampleOfMember, "\n").replaceAll(/(\n *\*)+(?=\n *\*\/)/g, "")

/** Types that the compiler wrote can have thousands of lines. */
const shortened = (declaration: string): string => {
  const lines = declaration
    .split("\n")
    .map((line) => (line.length > maxLineLength ? `${line.slice(0, maxLineLength)} …` : line))
  return lines.length > maxLines ? [...lines.slice(0, maxLines / 2), "// …"].join("\n") : lines.join("\n")
}

const isType = ({ kind }: Export): boolean => kind === "type" || kind === "interface"

/** How the exports of an entry point are grouped. */
const groups: ReadonlyArray<readonly [heading: string, kinds: ReadonlyArray<Kind>]> = [
  ["Functions", ["function"]],
  ["Modules", ["module"]],
  ["Constants", ["constant"]],
  ["Classes", ["class"]],
  ["Types", ["interface", "type"]]
]

/** The import that a program needs for an export. */
const importOf = (specifier: string, exported: Export): string => {
  const [name = ""] = exported.name.split(".")
  return fence(`import ${isType(exported) ? "type " : ""}{ ${name} } from "${specifier}"`)
}

const list = (lines: ReadonlyArray<string>): string => lines.map((line) => `- ${line}`).join("\n")

const section = (heading: string, text: string): ReadonlyArray<string> => (text === "" ? [] : [`## ${heading}`, text])

/** A route for each export that an entry point documents; a type whose name differs in case only says that it is one. */
const routesOf = ({ exports, specifier }: EntryPoint): ReadonlyMap<string, string> => {
  const routes = new Map<string, string>()
  const taken = new Set<string>()
  const own = exports.filter(({ from }) => from === undefined)
  for (const { name } of [...own.filter((one) => !isType(one)), ...own.filter(isType)]) {
    const short = `${routeOfEntry(specifier)}/${name.toLowerCase().replaceAll(".", "/")}`
    const route = taken.has(short) ? `${short}-type` : short
    taken.add(route)
    routes.set(name, route)
  }
  return routes
}

/** Pages that show users how to use an export; the others are for contributors. */
const isGuide = /^(?:sdk|testing|bulk|examples|scale|delivery|errors|fake-)/

/** The entry points that guides use, in order of precedence. */
const usedInGuides = [
  "@signalbox/sdk",
  "@signalbox/test-harness",
  "@signalbox/test-harness/server",
  "@signalbox/test-harness/vitest",
  "@signalbox/bulk",
  "@signalbox/bulk/cluster",
  "@signalbox/sdk/node"
]

/** The reference; `reasons` are the headings of `docs/errors.md` that describe them. */
export const referenceOf = (entryPoints: ReadonlyArray<EntryPoint>, reasons: ReadonlySet<string>): Reference => {
  const routes = new Map(entryPoints.map((entry) => [entry.specifier, routesOf(entry)]))
  /** Where an export of an entry point is documented. */
  const routeOf = (specifier: string, { from, kind, name }: Export): string =>
    (kind === "module" && from !== undefined ? undefined : routes.get(from ?? specifier)?.get(name)) ??
    routeOfEntry(from ?? specifier)

  const row = (specifier: string, exported: Export): string => {
    const summary = summaryOf(exported.documentation)
    const link = `[\`${exported.name}\`](/${routeOf(specifier, exported)}/)`
    return summary === "" ? link : `${link}: ${summary}`
  }

  /** The other entry points of the library that this one is the first of. */
  const others = (specifier: string): ReadonlyArray<string> =>
    entryPoints
      .filter((other) => other.specifier.startsWith(`${specifier}/`) && specifier.split("/").length === 2)
      .map((other) =>
        [`[\`${other.specifier}\`](/${routeOfEntry(other.specifier)}/)`, summaryOf(other.documentation)]
          .filter((part) => part !== "")
          .join(": ")
      )

  const indexPage = ({ documentation, exports, specifier }: EntryPoint, order: number): Page => {
    const listed = (wanted: (exported: Export) => boolean) =>
      list(exports.filter(wanted).map((exported) => row(specifier, exported)))
    return {
      route: routeOfEntry(specifier),
      isIndex: true,
      title: specifier,
      description: summaryOf(documentation) || `Reference of ${specifier}.`,
      order,
      body: [
        prose(documentation),
        fence(`import { … } from "${specifier}"`),
        ...section(
          "Values",
          listed((exported) => !isType(exported))
        ),
        ...section("Types", listed(isType)),
        ...section("Other entry points", list(others(specifier)))
      ]
        .filter((block) => block.trim() !== "")
        .join("\n\n")
    }
  }

  const exportPage = ({ exports, specifier }: EntryPoint, exported: Export, guides: ReadonlyArray<Page>): Page => {
    const { declaration, documentation, kind, name, tags } = exported
    const signature = shortened(withoutExamples(readable(declaration)))
    const examples = [...exported.examples, ...examplesOfMembers(declaration)]
    const deprecated = tags.filter(([tag]) => tag === "deprecated").map(([, text]) => `**Deprecated.** ${prose(text)}`)
    const thrown = tags.filter(([tag]) => tag === "throws").map(([, text]) => prose(text).replaceAll(/\s+/g, " "))
    const words = new Set(signature.match(/\b[A-Za-z]\w*\b/g))
    const related = exports.filter(
      (other) => other.name !== name && (words.has(other.name) || documentation.includes(`\`${other.name}\``))
    )
    const isError = (other: Export) => /(?:Error|Closed)$/.test(other.name)
    const links = (wanted: ReadonlyArray<Export>) => wanted.map((other) => row(specifier, other))
    const members = exports.filter((other) => other.name.startsWith(`${name}.`))
    const [home = ""] = specifier.split("/").slice(1)
    return {
      route: routes.get(specifier)?.get(name) ?? "",
      isIndex: false,
      title: name,
      description: summaryOf(documentation) || `${name} of ${specifier}.`,
      order: 0,
      body: [
        `${kind === "interface" ? "An" : "A"} ${kind} of [\`${specifier}\`](/${routeOfEntry(specifier)}/)${home === "core" ? ", for Effect users" : ""}.`,
        ...deprecated,
        prose(documentation),
        importOf(specifier, exported),
        ...(signature === "" ? [] : [`## Signature`, fence(signature)]),
        ...section("Members", list(links(members))),
        ...section(examples.length > 1 ? "Examples" : "Example", examples.join("\n\n")),
        ...section("Throws", list(thrown)),
        ...section("Errors", list(links(related.filter(isError)))),
        ...section(
          "See also",
          list([
            ...(reasons.has(name)
              ? [`[When a call fails with ${name}, and what to do](/errors/${name.toLowerCase()}/)`]
              : []),
            ...links(related.filter((other) => !isError(other))),
            ...guides
              .filter(({ route }) => isGuide.test(route))
              .map(({ route, title }) => `Guide: [${title}](/${route}/)`)
          ])
        )
      ]
        .filter((block) => block.trim() !== "")
        .join("\n\n")
    }
  }

  const links = new Map<string, string>()
  const modules = new Set<string>()
  for (const specifier of usedInGuides) {
    const entry = entryPoints.find((one) => one.specifier === specifier)
    if (entry === undefined) throw new Error(`the reference has no ${specifier}`)
    for (const exported of entry.exports) {
      if (!links.has(exported.name)) links.set(exported.name, `/${routeOf(specifier, exported)}/`)
      if (exported.kind === "module") modules.add(exported.name)
    }
  }

  return {
    links,
    modules,
    sidebars: entryPoints.map(({ exports, specifier }) => ({
      specifier,
      route: routeOfEntry(specifier),
      groups: groups.flatMap(([heading, kinds]) => {
        const listed = exports
          .filter(({ from, kind }) => from === undefined && kinds.includes(kind))
          .map((exported) => ({ name: exported.name, route: routeOf(specifier, exported) }))
        return listed.length === 0 ? [] : [{ heading, exports: listed }]
      })
    })),
    indexes: entryPoints.map(indexPage),
    exportPages: (guides) =>
      entryPoints.flatMap((entry) =>
        entry.exports
          .filter(({ from }) => from === undefined)
          .map((exported) => exportPage(entry, exported, guides.get(`/${routeOf(entry.specifier, exported)}/`) ?? []))
      )
  }
}
