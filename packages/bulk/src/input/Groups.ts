/**
 * Finds the subscribers with lines in several parts of an input, with the lines in files: memory stays the same, however
 * large the input is.
 */
import { appendFile, readFile } from "node:fs/promises"
import { join } from "node:path"
import type { LineRange } from "./InputLine.ts"
import { fingerprintOf } from "./Repeats.ts"

/** A line and the part of the input that it is in. */
interface Entry {
  readonly fingerprint: number
  readonly part: number
  readonly range: LineRange
}

const bucketCount = 256
const entryBytes = 26
/** Entries of a bucket that are in memory; more are written to its file. */
const entriesInMemory = 400

const write = (buffer: Buffer, at: number, { fingerprint, part, range }: Entry): void => {
  buffer.writeUIntBE(fingerprint, at, 6)
  buffer.writeUInt32BE(part, at + 6)
  buffer.writeUIntBE(range.offset, at + 10, 6)
  buffer.writeUInt32BE(range.bytes, at + 16)
  buffer.writeUIntBE(range.firstLine, at + 20, 6)
}

const read = (buffer: Buffer, at: number): Entry => ({
  fingerprint: buffer.readUIntBE(at, 6),
  part: buffer.readUInt32BE(at + 6),
  range: {
    offset: buffer.readUIntBE(at + 10, 6),
    bytes: buffer.readUInt32BE(at + 16),
    firstLine: buffer.readUIntBE(at + 20, 6)
  }
})

/** Lines by subscriber. */
export class Groups {
  readonly #buckets = Array.from({ length: bucketCount }, () => Buffer.alloc(entryBytes * entriesInMemory))
  readonly #filled = Array.from({ length: bucketCount }, () => 0)
  /** One bit for each line of a subscriber that several parts have. */
  #spread = Buffer.alloc(1024)
  readonly #written = new Set<number>()
  readonly #folder: () => Promise<string>

  /** Makes groups that use a folder for what does not fit into memory. */
  constructor(folder: () => Promise<string>) {
    this.#folder = folder
  }

  /** Adds a line of a subscriber; `part` is the number of the part of the input that it is in. */
  async add(subscriberId: string, part: number, range: LineRange): Promise<void> {
    const fingerprint = fingerprintOf(subscriberId)
    const number = fingerprint % bucketCount
    const bucket = this.#buckets[number] ?? Buffer.alloc(0)
    const filled = this.#filled[number] ?? 0
    write(bucket, filled, { fingerprint, part, range })
    this.#filled[number] = filled + entryBytes
    if (filled + entryBytes < bucket.length) return
    await appendFile(await this.#fileOf(number), bucket)
    this.#written.add(number)
    this.#filled[number] = 0
  }

  /** The lines of each subscriber that several parts have, in order. */
  async *spread(): AsyncGenerator<ReadonlyArray<LineRange>, void> {
    for (const [number, bucket] of this.#buckets.entries()) {
      const written = this.#written.has(number) ? await readFile(await this.#fileOf(number)) : Buffer.alloc(0)
      const all = Buffer.concat([written, bucket.subarray(0, this.#filled[number])])
      const groups = new Map<number, Array<Entry>>()
      for (let at = 0; at < all.length; at += entryBytes) {
        const entry = read(all, at)
        const group = groups.get(entry.fingerprint)
        if (group === undefined) groups.set(entry.fingerprint, [entry])
        else group.push(entry)
      }
      for (const group of groups.values()) {
        if (group.some(({ part }) => part !== group[0]?.part)) yield group.map(({ range }) => range)
      }
    }
  }

  /** Prepares {@link isSpread}, once all lines are added. */
  async finish(): Promise<void> {
    for await (const group of this.spread()) for (const { firstLine } of group) this.#mark(firstLine)
  }

  /** Whether several parts have lines of the subscriber of a line. */
  isSpread({ firstLine }: LineRange): boolean {
    return ((this.#spread[firstLine >> 3] ?? 0) & (1 << (firstLine & 7))) !== 0
  }

  async #fileOf(number: number): Promise<string> {
    return join(await this.#folder(), String(number))
  }

  #mark(line: number): void {
    const at = line >> 3
    if (at >= this.#spread.length) this.#spread = Buffer.concat([this.#spread, Buffer.alloc(at * 2)])
    this.#spread[at] = (this.#spread[at] ?? 0) | (1 << (line & 7))
  }
}
