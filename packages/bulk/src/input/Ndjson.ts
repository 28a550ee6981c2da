/**
 * NDJSON: one JSON object per line.
 */
import { findNodeAtLocation, parseTree, type ParseError } from "jsonc-parser"
import { isUtf8 } from "node:buffer"
import { type FileLine, fileLines, maxLineBytes } from "../file/FileLines.ts"
import type { InputLine, LineContent } from "./InputLine.ts"

/** `credentials.deviceTokens[0]` as a list of its parts. */
const partsOf = (path: string): Array<string | number> =>
  path.split(/[.[\]]+/).flatMap((part) => (part === "" ? [] : [/^\d+$/.test(part) ? Number(part) : part]))

const strict = { disallowComments: true, allowTrailingComma: false, allowEmptyContent: false }

const columnIn = (text: string) => (path: string) => {
  const root = parseTree(text, [], strict)
  const node = root && findNodeAtLocation(root, partsOf(path))
  return node === undefined ? undefined : node.offset + 1
}

const parse = (text: string): LineContent => {
  try {
    return { value: JSON.parse(text), columnOf: columnIn(text) }
  } catch {
    // The message of JSON.parse quotes the line, which may contain secrets.
    const errors: Array<ParseError> = []
    parseTree(text, errors, strict)
    return { rule: "Expected JSON", column: (errors[0]?.offset ?? 0) + 1 }
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

/** Reads the lines with content of an NDJSON file. */
export async function* ndjsonLines(
  path: string,
  onChunk?: (bytes: Buffer) => void
): AsyncGenerator<ReadonlyArray<InputLine>, void> {
  let number = 0
  for await (const lines of fileLines(path, 0, onChunk)) {
    const batch: Array<InputLine> = []
    for (const line of lines) {
      number++
      const hasMark = number === 1 && line.bytes.subarray(0, 3).equals(byteOrderMark)
      const content = hasMark ? { ...line, bytes: line.bytes.subarray(3) } : line
      if (!isBlank(content.bytes)) batch.push({ line: number, content: contentOf(content) })
    }
    yield batch
  }
}
