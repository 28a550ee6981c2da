/**
 * The file of a recording that is still growing: a whole recording after each exchange.
 */
import { existsSync, ftruncateSync, openSync, rmSync, writeFileSync, writeSync } from "node:fs"
import { presetOf, type RecordedExchange } from "./Recording.ts"

export interface RecordingFile {
  readonly add: (exchange: RecordedExchange) => void
  /** Writes a preset file next to it, with the switches that the recording shows; returns the number of exchanges. */
  readonly finish: () => number
  readonly remove: () => void
}

const meanings: Readonly<Record<string, string>> = {
  EEXIST: "the file already exists",
  ENOENT: "no such folder"
}

/** Uses a file, and names its flag and why it cannot be written if that fails. */
const orRefuse = <Value>(path: string, use: () => Value): Value => {
  try {
    return use()
  } catch (error) {
    // Functions of node:fs throw errors with a code.
    const { code = "", message } = error as NodeJS.ErrnoException
    throw new RangeError(`--out ${path}: ${meanings[code] ?? message}`)
  }
}

const jsonOf = (value: object): string => JSON.stringify(value, undefined, 2)

const writeAt = (file: number, text: string, position: number): void => {
  const bytes = Buffer.from(text)
  for (let done = 0; done < bytes.length;) done += writeSync(file, bytes, done, bytes.length - done, position + done)
}

const start = '{\n  "version": 1,\n  "exchanges": ['
const end = "\n  ]\n}\n"

/**
 * Creates the file of a recording. It replaces no file: a recording can be the only copy of a session.
 *
 * @throws RangeError, also from its functions, that names the flag and why the file cannot be written.
 */
export const createRecording = (path: string): RecordingFile => {
  const presetPath = path.replace(/(?:\.json)?$/u, ".preset.json")
  const exchanges: Array<RecordedExchange> = []
  let position = start.length
  if (existsSync(presetPath)) throw new RangeError(`--out ${presetPath}: ${meanings["EEXIST"]}`)
  const file = orRefuse(path, () => openSync(path, "wx"))
  writeAt(file, start + end, 0)
  return {
    add: (exchange) => {
      const text = `${exchanges.length === 0 ? "" : ","}\n${jsonOf(exchange)}`.replaceAll("\n", "\n    ")
      orRefuse(path, () => {
        try {
          writeAt(file, text + end, position)
        } catch (error) {
          // The disk may be full; what was recorded stays readable.
          ftruncateSync(file, position + end.length)
          writeAt(file, end, position)
          throw error
        }
      })
      position += Buffer.byteLength(text)
      exchanges.push(exchange)
    },
    finish: () => {
      orRefuse(presetPath, () =>
        writeFileSync(presetPath, `${jsonOf(presetOf({ version: 1, exchanges }))}\n`, { flag: "wx" })
      )
      return exchanges.length
    },
    remove: () => rmSync(path)
  }
}
