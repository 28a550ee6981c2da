/**
 * A page of the guide as programs: its TypeScript and its shell blocks, each with the output that the page shows.
 */
import { readdirSync, readFileSync } from "node:fs"
import { basename, join } from "node:path"

interface Block {
  readonly language: string
  readonly text: string
}

/** A piece of a program, and what it prints by the page; nothing unless the page shows it. */
export interface Piece {
  readonly text: string
  readonly output: string
}

/** A page. */
export interface Page {
  readonly name: string
  readonly typescript: ReadonlyArray<Piece>
  readonly shell: ReadonlyArray<Piece>
  /** Files that it links to, relative to its folder. */
  readonly links: ReadonlyArray<string>
}

const blocksOf = (markdown: string): ReadonlyArray<Block> =>
  [...markdown.matchAll(/^```(\w+)\n(.*?)^```$/gmsu)].map(([, language = "", text = ""]) => ({ language, text }))

const isOutput = (block: Block | undefined): block is Block => block?.language === "text" || block?.language === "json"

const piecesOf = (blocks: ReadonlyArray<Block>, language: string): ReadonlyArray<Piece> =>
  blocks.flatMap((block, index) => {
    if (block.language !== language) return []
    const next = blocks[index + 1]
    return [{ text: block.text, output: isOutput(next) ? next.text : "" }]
  })

/** Reads a page. */
export const pageOf = (name: string, file: string): Page => {
  const markdown = readFileSync(file, "utf8")
  const blocks = blocksOf(markdown)
  return {
    name,
    typescript: piecesOf(blocks, "ts"),
    shell: piecesOf(blocks, "sh"),
    links: [...markdown.matchAll(/\]\((?!https?:)([^)#]+)/gu)].map(([, link = ""]) => link)
  }
}

/** The pages of a folder. */
export const pagesOf = (folder: string): ReadonlyArray<Page> =>
  readdirSync(folder)
    .filter((name) => name.endsWith(".md"))
    .map((name) => pageOf(basename(name, ".md"), join(folder, name)))

/** The line that programs print between two pieces. */
const seam = "-- next piece --"

const claimed = (text: string): string =>
  text.replaceAll(
    /^( *)([^/\n]\S.*?) \/\/ => (.*)$/gmu,
    (_line, indent: string, left: string, right: string) => `${indent};claim(${left}, ${right})`
  )

/** The TypeScript of a page as one module, in which every `expression // => value` is compared. */
export const moduleOf = ({ typescript }: Page): string =>
  [
    `import * as assertions from "node:assert"`,
    `const claim = (left: unknown, right: unknown) => assertions.deepStrictEqual(left, right)`,
    `claim(0, 0)`,
    ...typescript
      .map(({ text }) => claimed(text))
      .join(`console.log("${seam}")\n`)
      .split("\n")
  ].join("\n")

/** The shell blocks of a page as one script. */
export const scriptOf = ({ shell }: Page): string => shell.map(({ text }) => text).join(`echo; echo "${seam}"\n`)

const asJson = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return text.trim()
  }
}

/** The output of a program, piece by piece: values where it is JSON, otherwise text. */
export const printed = (output: string): ReadonlyArray<unknown> =>
  output.split(`${seam}\n`).map((piece) => asJson(piece))

/** The output that a page promises for its pieces. */
export const promised = (pieces: ReadonlyArray<Piece>): ReadonlyArray<unknown> =>
  pieces.map(({ output }) => asJson(output))
