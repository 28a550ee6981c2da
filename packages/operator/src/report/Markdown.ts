/**
 * Formats strings from the service for Markdown. Removes secrets and escapes any markup, links and mentions they contain.
 */
import { cleanLine } from "../outlet/Outlet.ts"

/** Text of the service as code: the fence is longer than any run of backticks inside, so that nothing gets out of it. */
export const code = (text: string): string => {
  const content = cleanLine(text)
  const runs = content.match(/`+/gu) ?? []
  const fence = "`".repeat(Math.max(0, ...runs.map((run) => run.length)) + 1)
  const edge = /^`|`$|^ | $/u.test(content) || content === "" ? " " : ""
  return `${fence}${edge}${content}${edge}${fence}`
}

/** Prose that may quote the service: nothing in it is markup, a link or a call to the whole channel. */
export const prose = (text: string): string =>
  cleanLine(text)
    .replaceAll(/[\\`*_{}[\]<>#|~]/gu, "\\$&")
    .replaceAll("@", "@\u2060")
    .replaceAll("://", ":\u2060//")
