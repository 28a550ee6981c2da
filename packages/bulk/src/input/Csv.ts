/**
 * CSV with a header: each column becomes a field.
 */
import { expectedOneOf } from "@signalbox/core/Nearest"
import { CsvError, type Options, parse } from "csv-parse"
import { Readable } from "node:stream"
import { maxLineBytes } from "../file/FileLines.ts"
import type { InputLine, LineContent } from "./InputLine.ts"

/** An issue in the structure of a CSV file; without values. */
export class CsvStructureError extends Error {
  readonly line: number
  readonly column: number | undefined
  constructor(rule: string, line: number, column?: number) {
    super(rule)
    this.line = line
    this.column = column
  }
}

/** The fields of one kind of run, and the place of each in the value of a line. */
export type CsvFields = Readonly<Record<string, ReadonlyArray<string>>>

/** Fields that hold a list; a CSV line has one element. */
const listFields = new Set(["deviceTokens"])

const put = (target: Record<string, unknown>, [first = "", ...rest]: ReadonlyArray<string>, value: unknown): void => {
  if (rest.length === 0) target[first] = value
  else put((target[first] ??= {}) as Record<string, unknown>, rest, value) // parents are objects made here
}

const rules: Readonly<Record<string, string>> = {
  CSV_QUOTE_NOT_CLOSED: "Expected a closing quote",
  CSV_INVALID_CLOSING_QUOTE:
    "Expected a separator or the end of the line after a closing quote; the quote that opens this field may not be closed",
  INVALID_OPENING_QUOTE: "Expected the whole field in quotes, and quotes inside of it doubled",
  CSV_MAX_RECORD_SIZE: `Expected a record of at most ${maxLineBytes} bytes; a quote may not be closed`
}

/** The message of the library may quote a cell, which may be a secret. `line` is the first one of the record. */
const structureError = ({ code, index }: CsvError, line: number): CsvStructureError =>
  new CsvStructureError(rules[code] ?? "Expected CSV", line, typeof index === "number" ? index + 1 : undefined)

/** The parser reads this character where bytes are not in the encoding of the file. */
const replacementCharacter = "\uFFFD"

const lineEnd = /\r\n|\r|\n/g

interface Column {
  readonly field: string
  readonly path: ReadonlyArray<string>
  readonly index: number
}

/** Where each field is, by the header. */
const columnsOf = (
  header: ReadonlyArray<string>,
  fields: CsvFields,
  mapping: Readonly<Record<string, string>>
): ReadonlyArray<Column> => {
  const known = Object.keys(fields)
  const nameOf = (field: string) => mapping[field] ?? field
  const columns = Object.entries(fields).flatMap(([field, path]) => {
    const index = header.indexOf(nameOf(field))
    if (index >= 0) return [{ field, path, index }]
    if (mapping[field] === undefined) return []
    throw new CsvStructureError(`Expected the column "${mapping[field]}" for ${field}; found ${header.join(", ")}`, 1)
  })
  const used = new Set(columns.map(({ index }) => index))
  const unused = header.findIndex((_, index) => !used.has(index))
  // A misspelt optional column would otherwise be left out of every line.
  if (unused >= 0 && Object.keys(mapping).length === 0) {
    const name = header[unused] ?? ""
    const [separator] = /[;\t|]/u.exec(name) ?? []
    const rule =
      header.indexOf(name) < unused
        ? `Column "${name}" appears twice`
        : separator !== undefined
          ? `Expected columns with a comma between them, found ${JSON.stringify(separator)}`
          : `Column "${name}" is not a field; ${expectedOneOf(name, known, `${known.join(", ")}, or a mapping of columns`)}`
    throw new CsvStructureError(rule, 1, unused + 1)
  }
  return columns
}

const contentOf =
  (cells: ReadonlyArray<string>, columns: ReadonlyArray<Column>, header: ReadonlyArray<string>) => (): LineContent => {
    if (cells.length !== header.length) return { rule: `Expected ${header.length} columns, found ${cells.length}` }
    const unreadable = cells.findIndex((cell) => cell.includes(replacementCharacter))
    if (unreadable >= 0) return { rule: "Expected UTF-8", column: unreadable + 1 }
    const value: Record<string, unknown> = {}
    for (const { field, index, path } of columns) {
      const cell = cells[index] ?? ""
      const [separator] = (listFields.has(field) && /[,;|]/u.exec(cell)) || []
      if (separator !== undefined)
        return {
          rule: `Expected one token, found "${separator}"; write a line for each token, or NDJSON`,
          column: index + 1
        }
      // An empty cell is a field that is not given.
      if (cell !== "") put(value, path, listFields.has(field) ? [cell] : cell)
    }
    /** The column of a field, or the first column of the fields that it has. */
    const columnOf = (path: string) => {
      const column = columns.find((each) => {
        const own = each.path.join(".")
        return path.startsWith(own) || own.startsWith(`${path}.`)
      })
      return column && column.index + 1
    }
    const emptyRule = (column: number) =>
      cells[column - 1] === "" ? `the column "${header[column - 1]}" is empty` : undefined
    return { value, columnOf, emptyRule }
  }

/** The parser's records with the options `raw` and `info`. */
interface Raw {
  readonly raw: string
  readonly record: ReadonlyArray<string>
  /** `bytes` is the offset of the end of the record. */
  readonly info: { readonly bytes: number }
}

/** A record of a CSV file and where it is. */
interface CsvRecord {
  /** Number of its first line. */
  readonly line: number
  /** Number of the line after it. */
  readonly nextLine: number
  /** Offset of its end. */
  readonly end: number
  readonly cells: ReadonlyArray<string>
  /** Its text, with what ends it. */
  readonly raw: string
}

/** The parser would decode UTF-16, but count neither its lines nor its bytes. */
async function* utf8Of(source: AsyncIterable<Buffer> | Iterable<Buffer>): AsyncGenerator<Buffer, void> {
  let isFirst = true
  for await (const bytes of source) {
    if (isFirst && bytes[0] === 0xff && bytes[1] === 0xfe)
      throw new CsvStructureError("Expected UTF-8, found UTF-16", 1)
    isFirst = false
    yield bytes
  }
}

/** The first bytes of a file, with its whole first line. */
const readStart = async (chunks: AsyncGenerator<Buffer, void>) => {
  let start = Buffer.alloc(0)
  while (!/[\r\n]/.test(start.toString("latin1")) && start.length < maxLineBytes) {
    const { done, value } = await chunks.next()
    if (done === true) break
    start = Buffer.concat([start, value])
  }
  return start
}

/** The character between the columns: a comma, or another one where spreadsheets of a country use the comma in numbers. */
const separatorOf = (start: Buffer): string => {
  const [header = ""] = start.toString("latin1").split(/[\r\n]/, 1)
  return [",", ";", "\t"].find((separator) => header.includes(separator)) ?? ","
}

async function* joined(start: Buffer, rest: AsyncGenerator<Buffer, void>): AsyncGenerator<Buffer, void> {
  if (start.length > 0) yield start
  yield* rest
}

/** Reads the records with content of CSV, the header first. */
export async function* csvRecords(source: AsyncIterable<Buffer> | Iterable<Buffer>): AsyncGenerator<CsvRecord, void> {
  let nextLine = 1
  const chunks = utf8Of(source)
  const start = await readStart(chunks)
  const placed = ({ info, raw, record: cells }: Raw): CsvRecord | undefined => {
    const line = nextLine
    // The parser counts the end of a line in quotes twice where it is two characters.
    nextLine += raw.match(lineEnd)?.length ?? 0
    return raw.trim() === "" ? undefined : { line, nextLine, end: info.bytes, cells, raw }
  }
  const parser = parse({
    delimiter: separatorOf(start),
    // With `raw` and `info`, the parser gives this a `Raw`, and passes on its result. Its types know records of cells only.
    on_record: placed as unknown as NonNullable<Options["on_record"]>,
    bom: true,
    relax_column_count: true,
    max_record_size: maxLineBytes,
    raw: true,
    info: true
  })
  const bytes = Readable.from(joined(start, chunks), { highWaterMark: 4 })
  bytes.on("error", (error) => parser.destroy(error))
  bytes.pipe(parser)
  try {
    yield* parser
  } catch (error) {
    throw error instanceof CsvError ? structureError(error, nextLine) : error
  } finally {
    bytes.destroy()
    parser.destroy()
  }
}

const batchLines = 512

/** Reads the records of CSV. Throws a {@link CsvStructureError} where the rest of it cannot be read. */
export async function* csvLines(
  source: AsyncIterable<Buffer> | Iterable<Buffer>,
  fields: CsvFields,
  mapping: Readonly<Record<string, string>>
): AsyncGenerator<ReadonlyArray<InputLine>, void> {
  let header: ReadonlyArray<string> | undefined
  let columns: ReadonlyArray<Column> = []
  let batch: Array<InputLine> = []
  let from = { offset: 0, firstLine: 1 }
  for await (const { cells, end, line, nextLine } of csvRecords(source)) {
    const range = { ...from, bytes: end - from.offset }
    from = { offset: end, firstLine: nextLine }
    if (header === undefined) {
      header = cells
      columns = columnsOf(header, fields, mapping)
      continue
    }
    batch.push({ line, range, content: contentOf(cells, columns, header) })
    if (batch.length < batchLines) continue
    yield batch
    batch = []
  }
  if (header === undefined) throw new CsvStructureError("Expected a header line", 1)
  if (batch.length > 0) yield batch
}
