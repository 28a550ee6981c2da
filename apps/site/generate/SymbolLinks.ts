/**
 * Links from guides to the reference: the first time that a page names an export, the name is a link.
 */
import type { Page } from "./Page.ts"

const fenced = /^(`{3,})[^\n]*\n[\s\S]*?^\1$/gm

/** Links the names of exports in prose. A name of the form `Fault.…` that the library does not have is an error. */
export const withSymbolLinks = (page: Page, links: ReadonlyMap<string, string>): Page => {
  const fences = [...page.body.matchAll(fenced)].map(([fence]) => fence)
  const parts = page.body.split(fenced).filter((part) => !/^`{3,}$/.test(part))
  const linked = new Set<string>()
  const link = (line: string): string => {
    if (/^#|^<|^ {4}/.test(line)) return line
    return line.replaceAll(/(?<![[`])`([A-Za-z][\w.]*)(\([^`]*\))?`(?![\]`])/g, (whole, name: string) => {
      const target = links.get(name)
      if (target === undefined && /^Fault\.\w+$/.test(name)) {
        throw new Error(`${page.route} names ${name}, which @signalbox/test-harness does not export`)
      }
      if (target === undefined || linked.has(name)) return whole
      linked.add(name)
      return `[${whole}](${target})`
    })
  }
  const body = parts.map((part, index) => part.split("\n").map(link).join("\n") + (fences[index] ?? "")).join("")
  return { ...page, body }
}
