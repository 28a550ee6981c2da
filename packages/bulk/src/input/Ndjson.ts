/**
 * NDJSON: one JSON object per line.
 */
import { parse as parseTree, type ValueNode } from "@humanwhocodes/momoa"
import { isUtf8 } from "node:buffer"
import { type FileLine, linesOf, maxLineBytes } from "../file/FileLines.ts"
import type { InputLine, LineContent } from "./InputLine.ts"

/** `credentials.deviceTokens[0]` as a list of its parts. */
const partsOf = (path: string): ReadonlyArray<string> => path.split(/[.[\]]+/).filter((part) => part !== "")

const valueAt = (node: ValueNode, part: string): ValueNode | undefined => {
  if (node.type === "Array") return node.elements[Number(part)]?.value
  if (node.type !== "Object") return undefined
  return node.members.find(({ name }) => name.type === "String" && name.value === part)?.value
}

const columnIn = (text: string) => (path: string) => {
  let node: ValueNode | undefined = parseTree(text, { mode: "json" }).body
  for (const part of partsOf(path)) node = node && valueAt(node, part)
  return node?.loc.start.column
}

/** Where the parser with positions finds an error; `undefined` where it finds none. */
const columnOfError = (text: string): number | undefined => {
  try {
    parseTree(text, { mode: "json" })
    return undefined
  } catch (error) {
    return error instanceof Error && "column" in error && typeof error.column === "number" ? error.column : undefined
  }
}

const parse = (text: string): LineContent => {
  try {
    return { value: JSON.parse(text), columnOf: columnIn(text) }
  } catch {
    // The message of JSON.parse quotes the line, which may contain secrets.
    return { rule: "Expected JSON", column: columnOfError(text) }
  }
}

const contentOf =
  ({ bytes, isTooLong }: FileLine) =>
  (): LineContent => {
    if (isTooLong) return { rule: `Expected at most ${maxLineBytes} bytes` }
    if (!isUtf8(bytes)) return { rule: "Expected UTF-8" }
    return parse(bytes.toString())
  }

const byteOrderMark = Buffer.from("\uFEFF")
const space = new Set(Buffer.from(" \t\r"))

const isBlank = (bytes: Buffer): boolean => bytes.every((byte) => space.has(byte))

/** Reads the lines with content of NDJSON. */
export async function* ndjsonLines(
  source: AsyncIterable<Buffer> | Iterable<Buffer>
): AsyncGenerator<ReadonlyArray<InputLine>, void> {
  let number = 0
  let from = { offset: 0, firstLine: 1 }
  for await (const raw of linesOf(source)) {
    const lines: Array<InputLine> = []
    for (const line of raw) {
      number++
      const hasMark = number === 1 && line.bytes.subarray(0, 3).equals(byteOrderMark)
      const content = hasMark ? { ...line, bytes: line.bytes.subarray(3) } : line
      if (isBlank(content.bytes)) continue
      lines.push({ line: number, range: { ...from, bytes: line.end - from.offset }, content: contentOf(content) })
      from = { offset: line.end, firstLine: number + 1 }
    }
    yield lines
  }
}
