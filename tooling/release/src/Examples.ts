import { readFileSync, readdirSync } from "node:fs"
import { join } from "node:path"
import { repository } from "./Repository.ts"
import type { libraries } from "./Tarball.ts"

/** An example of a doc comment. */
export interface Example {
  /** Its location, for example `core/src/Client.ts:27`. */
  readonly place: string
  /** The program, verbatim. */
  readonly text: string
}

const linesOf = (comment: string): string =>
  comment
    .split("\n")
    .slice(1, -1)
    .map((line) => line.replace(/^\s*\* ?/, ""))
    .join("\n")

const examplesIn = (place: string, source: string): ReadonlyArray<Example> =>
  [...source.matchAll(/\/\*\*\n.*?\*\//gs)].flatMap(({ 0: comment, index }) =>
    [...linesOf(comment).matchAll(/^```ts\n(.*?)^```$/gms)].map(([, text = ""]) => ({
      place: `${place}:${source.slice(0, index).split("\n").length}`,
      text
    }))
  )

/** Pages whose blocks are programs, by library. */
const pages: { readonly [Library in (typeof libraries)[number]]?: ReadonlyArray<string> } = {
  bulk: ["packages/bulk/README.md", "docs/bulk/cluster.md"]
}

const blocksOf = (page: string): ReadonlyArray<Example> =>
  [...readFileSync(join(repository, page), "utf8").matchAll(/^```ts\n(.*?)^```$/gms)].map(([, text = ""], index) => ({
    place: `${page}, block ${index + 1}`,
    text
  }))

/** Every example in the doc comments and pages of a library that imports what a user can import; tests are left out. */
export const examplesOf = (library: (typeof libraries)[number]): ReadonlyArray<Example> => {
  const folder = join(repository, "packages", library, "src")
  const comments = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts") && !/\.(?:test|tst)\.ts$/.test(file))
    .sort()
    .flatMap((file) => examplesIn(`${library}/src/${file}`, readFileSync(join(folder, file), "utf8")))
    .filter(({ text }) => text.includes('from "@signalbox/'))
  return [...comments, ...(pages[library] ?? []).flatMap(blocksOf)]
}

const claimed = (_line: string, indent: string, left: string, right: string): string => {
  const name = /^const (\w+) = /.exec(left)?.[1]
  return name === undefined
    ? `${indent};claim(${left}, ${right})`
    : `${indent}${left}\n${indent};claim(${name}, ${right})`
}

/**
 * An example as a module that compares what it claims: every `expression // => value` and `const name = … // => value` is
 * checked, except for values that are shortened with `…`.
 */
export const moduleOf = (text: string): string =>
  [
    'import { claim } from "./Claim.ts"',
    text.replace(/^( *)([^/\n]\S.*?) \/\/ => ([^…\n]*)$/gm, claimed),
    "export {}",
    ""
  ].join("\n")
