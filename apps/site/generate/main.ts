import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { entryPoints } from "./Declarations.ts"
import { llmsIndex, llmsTexts } from "./Llms.ts"
import { bundlePlayground, scenarios } from "./Playground.ts"
import { type Page, pageOf, pageText } from "./Page.ts"
import { referenceOf } from "./Reference.ts"
import { linkedFile, type Source, sources } from "./Sources.ts"
import { withSymbolLinks } from "./SymbolLinks.ts"

const home = fileURLToPath(new URL("..", import.meta.url))
const content = join(home, "src", "content", "docs")
const assets = join(home, "public")

const write = (path: string, text: string): void => {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}

/** The files that the index of a folder links to, in that order, which is also the order of the sidebar. */
const orderIn = (all: ReadonlyArray<Source>): ReadonlyMap<string, number> => {
  const order = new Map<string, number>()
  for (const { file, markdown } of all) {
    if (!file.endsWith("README.md")) continue
    for (const [, link = ""] of markdown.matchAll(/\]\(([^)#\s]+\.md)/g)) {
      const linked = linkedFile(file, link)
      if (!order.has(linked)) order.set(linked, order.size + 1)
    }
  }
  return order
}

const makePages = (): ReadonlyArray<Page> => {
  const all = sources()
  const routes = new Map(all.map(({ file, route }) => [file, route]))
  routes.set("README.md", "")
  routes.set("apps/cli/README.md", "cli")
  routes.set("packages/sdk/README.md", "sdk")
  routes.set("packages/test-harness/README.md", "testing")
  const order = orderIn(all)
  return all.map((source) => {
    // An example is a folder with one page, which is no group of the sidebar.
    const isIndex = all.some(({ route }) => route.startsWith(`${source.route}/`))
    return pageOf(source, routes, { isIndex, order: isIndex ? 0 : (order.get(source.file) ?? 500) })
  })
}

/** The guides that link to each export. */
const linking = (guides: ReadonlyArray<Page>): ReadonlyMap<string, ReadonlyArray<Page>> => {
  const found = new Map<string, Array<Page>>()
  for (const guide of guides) {
    for (const [, link = ""] of guide.body.matchAll(/\]\((\/reference\/[^)#]+)\)/g)) {
      found.set(link, [...(found.get(link) ?? []), guide])
    }
  }
  return found
}

rmSync(content, { recursive: true, force: true })
// Pages that exist on the site only.
cpSync(join(home, "pages"), content, { recursive: true })
const start = join(content, "index.mdx")
const codeOf = new Map(scenarios(home).map(({ code, name }) => [name, code]))
const withScenarios = readFileSync(start, "utf8").replaceAll(
  /(?<=^```typescript) scenario=(\S+)\n/gm,
  (_whole, name: string) => `\n${codeOf.get(name) ?? ""}\n`
)
write(start, withScenarios)
const guidesWithoutLinks = makePages()
const errorsPage = guidesWithoutLinks.find(({ route }) => route === "errors")?.body ?? ""
const reasons = new Set(Array.from(errorsPage.matchAll(/^\| \[`(\w+)`\]/gm), ([, reason = ""]) => reason))
if (reasons.size === 0) throw new Error("docs/errors.md has no table of reasons")
const reference = referenceOf(entryPoints(), reasons)
const guides = guidesWithoutLinks.map((page) => withSymbolLinks(page, reference))
const pages = [...guides, ...reference.indexes]
const exportPages = reference.exportPages(linking(guides))
const taken = new Set<string>()
for (const page of [...pages, ...exportPages]) {
  if (taken.has(page.route)) throw new Error(`two pages have the route ${page.route}`)
  taken.add(page.route)
  write(join(content, page.isIndex ? `${page.route}/index.md` : `${page.route}.md`), pageText(page))
}
write(join(home, "src", "reference.json"), JSON.stringify(reference.sidebars))
cpSync(join(home, "..", "..", "docs", "images"), join(assets, "images"), { recursive: true })
write(join(assets, "llms.txt"), llmsIndex(pages))
rmSync(join(assets, "llms"), { recursive: true, force: true })
for (const [file, text] of Object.entries(llmsTexts(pages))) write(join(assets, "llms", file), text)

rmSync(join(assets, "playground"), { recursive: true, force: true })
await bundlePlayground(home, assets)
