/**
 * The lines of an input that are to be corrected, verbatim.
 */
import * as Effect from "effect/Effect"
import { Disk, type Files } from "../file/Disk.ts"
import { linesOf, maxLineBytes } from "../file/FileLines.ts"
import { fileError } from "../file/SystemError.ts"
import type { ReportLine } from "../Report.ts"
import type { FileError } from "../RunError.ts"
import { csvRecords } from "./Csv.ts"
import type { InputFile } from "./InputFile.ts"

async function* ndjsonParts(disk: Files, path: string, isWanted: (line: number) => boolean): AsyncGenerator<Buffer> {
  let line = 0
  for await (const batch of linesOf(disk.read(path))) {
    for (const { bytes, isTooLong } of batch) {
      line++
      if (bytes.length === 0 || !isWanted(line)) continue
      if (isTooLong) throw new Error(`line ${line} is longer than ${maxLineBytes} bytes; copy it from the input`)
      yield Buffer.concat([bytes, Buffer.from("\n")])
    }
  }
}

async function* csvParts(disk: Files, path: string, isWanted: (line: number) => boolean): AsyncGenerator<Buffer> {
  let isHeader = true
  for await (const { line, raw } of csvRecords(disk.read(path))) {
    if (isHeader || isWanted(line)) yield Buffer.from(raw.endsWith("\n") ? raw : `${raw}\n`)
    isHeader = false
  }
}

const copyLines = async (
  disk: Files,
  { format, path }: InputFile,
  isWanted: (line: number) => boolean,
  output: string
): Promise<void> => {
  await disk.create(output, "")
  const file = await disk.open(output)
  let position = 0
  try {
    const parts = format === "csv" ? csvParts(disk, path, isWanted) : ndjsonParts(disk, path, isWanted)
    for await (const part of parts) {
      await file.write(part, position)
      position += part.length
    }
    await file.sync()
  } finally {
    await file.close()
  }
}

/**
 * Copies the lines that failed or are invalid to a new file, with the header of a CSV file, and those that were not tried
 * where no run will try them; returns their number.
 */
export const copyFailed = Effect.fnUntraced(function* (
  input: InputFile,
  output: string,
  isCancelled: boolean,
  outcomeOf: (line: number) => ReportLine["outcome"]
): Effect.fn.Return<number, FileError> {
  const disk = yield* Disk
  let lines = 0
  const isWanted = (line: number): boolean => {
    const outcome = outcomeOf(line)
    const isLeft = outcome === "failed" || outcome === "invalid" || (isCancelled && outcome === "not-tried")
    if (isLeft) lines++
    return isLeft
  }
  yield* Effect.tryPromise({
    try: () => copyLines(disk, input, isWanted, output),
    catch: fileError("write", output)
  })
  return lines
})
