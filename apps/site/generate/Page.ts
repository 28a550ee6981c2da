/**
 * A page of the site from a Markdown file of the repository: title and description as front matter, links between files
 * as links between pages, and diagrams as SVG.
 */
import { renderMermaidSVG } from "beautiful-mermaid"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { descriptions } from "./Descriptions.ts"
import { linkedFile, repository, type Source } from "./Sources.ts"

/** A page before it is written. */
export interface Page {
  readonly route: string
  readonly title: string
  readonly description: string
  /** Words to be found by that are not in the text. */
  readonly keywords?: string
  /** Whether it is the first page of a folder. */
  readonly isIndex: boolean
  /** Position in its folder. */
  readonly order: number
  readonly body: string
}

const manifest: { readonly repository?: string | { readonly url: string } } = JSON.parse(
  readFileSync(join(repository, "package.json"), "utf8")
)

const repositorySetting = typeof manifest.repository === "object" ? manifest.repository.url : manifest.repository

/** Where the repository is published; links to files that are no pages need it. */
const repositoryUrl = repositorySetting?.replace(/^git\+/, "").replace(/\.git$/, "")

const code = /^(`{3,})[^\n]*\n[\s\S]*?^\1$|`[^`\n]+`/gm

/** Applies a change to everything but code. */
const outsideCode = (markdown: string, change: (text: string) => string): string => {
  let result = ""
  let end = 0
  for (const match of markdown.matchAll(code)) {
    // A link whose text is code has its brackets around the code.
    result += markdown.slice(end, match.index) + "\0" + match[0] + "\0"
    end = match.index + match[0].length
  }
  const pieces: Array<string> = []
  const marked = (result + markdown.slice(end)).replaceAll(/\0([^\0]*)\0/g, (_whole, piece: string) => {
    pieces.push(piece)
    return `\0${pieces.length - 1}\0`
  })
  return change(marked).replaceAll(/\0(\d+)\0/g, (_whole, index: string) => pieces[Number(index)] ?? "")
}

const plain = (markdown: string): string =>
  markdown
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replaceAll(/[`*]|\b_|_\b/g, "")
    .replaceAll(/\s+/g, " ")
    .trim()

const shortened = (text: string): string => (text.length > 160 ? `${text.slice(0, 157).replace(/\s+\S*$/, "")}…` : text)

/** The first paragraph, which describes a page without a description. */
const firstParagraph = (body: string): string =>
  body
    .trim()
    .split(/\n{2,}/)
    .find((block) => /^[A-Za-z`*[]/.test(block)) ?? ""

const diagram = (text: string): string => {
  const svg = renderMermaidSVG(text, { bg: "var(--sl-color-bg)", fg: "var(--sl-color-text)", transparent: true })
  // Fonts come from the page: the site loads nothing from elsewhere.
  const local = svg.replaceAll(/@import url\([^)]*\);?/g, "").replaceAll(/\n\s*\n/g, "\n")
  return `<figure class="diagram">${local.replaceAll("\n", " ")}</figure>`
}

const makeLinks = (source: Source, routes: ReadonlyMap<string, string>) => (markdown: string) =>
  markdown.replaceAll(
    /(!?)\[((?:[^[\]]|\[[^\]]*\])*)\]\((?!https?:|mailto:|#)([^)#\s]*)(#[^)\s]*)?\)/g,
    (_whole, image: string, text: string, link: string, anchor = "") => {
      const file = linkedFile(source.file, link).replace(/\/$/, "")
      const route = routes.get(file) ?? routes.get(`${file}/README.md`)
      if (image === "!") return `![${text}](/images/${file.slice(file.lastIndexOf("/") + 1)})`
      if (route !== undefined) return `[${text}](/${route === "" ? "" : `${route}/`}${anchor})`
      if (!existsSync(join(repository, file))) return `[${text}](/missing/${file})`
      return repositoryUrl === undefined ? text : `[${text}](${repositoryUrl}/blob/main/${file})`
    }
  )

/** The files of an example, which its page shows in full, in the order in which it lists them. */
const filesOf = ({ file, markdown }: Source): string =>
  file.startsWith("docs/examples/") && file.endsWith("/README.md")
    ? Array.from(markdown.matchAll(/^- \[`[^`]+`\]\(([^)/]+)\)/gm), ([, name = ""]) => {
        const text = readFileSync(join(repository, file, "..", name), "utf8").trimEnd()
        return `\n\n\`\`\`\`${/\.[jt]sx?$/.test(name) ? "typescript" : "txt"} title="${name}"\n${text}\n\`\`\`\``
      }).join("")
    : ""

/** Makes the page of a source. */
export const pageOf = (
  source: Source,
  routes: ReadonlyMap<string, string>,
  place: Pick<Page, "isIndex" | "order">
): Page => {
  const [, title = source.route, rest = ""] =
    /^(?:\s*<!--[\s\S]*?-->)?\s*# (.+)\n([\s\S]*)$/.exec(source.markdown) ?? []
  const withDiagrams = rest.replaceAll(/^```mermaid\n([\s\S]*?)^```$/gm, (_whole, text: string) => diagram(text))
  const written = descriptions[source.route]
  return {
    route: source.route,
    title: plain(title),
    description: written?.text ?? shortened(plain(firstParagraph(withDiagrams))),
    ...(written?.keywords === undefined ? {} : { keywords: written.keywords }),
    ...place,
    body: outsideCode(withDiagrams, makeLinks(source, routes)).trim() + filesOf(source)
  }
}

const yaml = (value: string): string => JSON.stringify(value)

/** Words for the search, which readers do not see; at the end, where their paragraph moves nothing down. */
const keywordsOf = ({ keywords }: Page): string =>
  keywords === undefined ? "" : `\n\n<span hidden data-pagefind-meta="keywords" data-pagefind-ignore>${keywords}</span>`

/** Pages that contain most words, and answer few questions. */
const seldomAnswers = /^(?:decisions\/|fake-switches$|mcp-security$|architecture$|comparison$|measurements$)/

/** The page with its front matter. Symbols of the reference have a separate search index. */
export const pageText = (page: Page): string => {
  const { body, description, order, route, title } = page
  const search = route.startsWith("reference/") ? "pagefind: false\n" : ""
  const head = `title: ${yaml(title)}\ndescription: ${yaml(description)}\n${search}sidebar:\n  order: ${order}\n`
  const weighed = seldomAnswers.test(route) ? `<div data-pagefind-weight="0.1">\n\n${body}\n\n</div>` : body
  return `---\n${head}---\n\n${weighed}${keywordsOf(page)}\n`
}
