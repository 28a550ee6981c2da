/**
 * Links from guides to the reference: the first time that a page names an export, the name is a link.
 */
import type { Page } from "./Page.ts"
import type { Reference } from "./Reference.ts"

const fenced = /^(`{3,})[^\n]*\n[\s\S]*?^\1$/gm

const importedNames = (code: string): ReadonlyArray<string> =>
  [...code.matchAll(/^import (?:type )?\{([^}]*)\} from "@signalbox\//gm)].flatMap(([, names = ""]) =>
    names.split(",").map((name) => name.trim().replace(/^type /, ""))
  )

/** Links the names of exports in prose. A member of a module that the libraries lack, such as `Fault.x`, is an error. */
export const withSymbolLinks = (page: Page, { links, modules }: Pick<Reference, "links" | "modules">): Page => {
  // These libraries have exports of the same names, such as `RateLimit`, which are something else.
  if (/^(?:core|operator)$/.test(page.route)) return page
  const fences = [...page.body.matchAll(fenced)].map(([fence]) => fence)
  const parts = page.body.split(fenced).filter((part) => !/^`{3,}$/.test(part))
  const linked = new Set<string>()
  const imported = new Set(fences.flatMap(importedNames))
  // `status` is an export and a word, `list(…)` one and the method of another.
  const isSymbol = (name: string): boolean => /[A-Z.]/.test(name) || imported.has(name)
  const link = (line: string): string => {
    if (/^#|^<|^ {4}/.test(line)) return line
    return line.replaceAll(/(?<![[`])`([A-Za-z][\w.]*)(?:\([^`]*\))?`(?![\]`])/g, (whole, name: string) => {
      const target = links.get(name)
      if (target === undefined && modules.has(name.split(".")[0] ?? "")) {
        throw new Error(`${page.route} names ${name}, which no library exports`)
      }
      if (target === undefined || linked.has(name) || !isSymbol(name)) return whole
      linked.add(name)
      return `[${whole}](${target})`
    })
  }
  const body = parts.map((part, index) => part.split("\n").map(link).join("\n") + (fences[index] ?? "")).join("")
  return { ...page, body }
}
