/** A damaged file, and what was done to it. */
export interface Damaged {
  readonly damage: string
  readonly bytes: Buffer
}

/** Bits that make a letter another one, the other case or no ASCII; the last makes it a line break. */
const bitsOf = (byte: number): ReadonlyArray<number> => [0x01, 0x20, 0x80, byte ^ 0x0a].filter((bits) => bits !== 0)

const linesOf = (text: string): ReadonlyArray<string> => text.split(/(?<=\n)/u)

/** Every damage to a small file: each byte changed, each length that it can be cut to, each line twice, missing or swapped. */
export function* damagesOf(text: string): Generator<Damaged> {
  const whole = Buffer.from(text)
  for (const [at, byte] of whole.entries()) {
    for (const bits of bitsOf(byte)) {
      const bytes = Buffer.from(whole)
      bytes[at] = byte ^ bits
      yield { damage: `byte ${at} with bits ${bits}`, bytes }
    }
    yield { damage: `cut to ${at} bytes`, bytes: whole.subarray(0, at) }
  }
  const lines = linesOf(text)
  for (const [at, line] of lines.entries()) {
    const [before, after] = [lines.slice(0, at), lines.slice(at + 1)]
    yield { damage: `line ${at + 1} twice`, bytes: Buffer.from([...before, line, line, ...after].join("")) }
    yield { damage: `without line ${at + 1}`, bytes: Buffer.from([...before, ...after].join("")) }
    const [next = "", ...rest] = after
    yield {
      damage: `lines ${at + 1} and ${at + 2} swapped`,
      bytes: Buffer.from([...before, next, line, ...rest].join(""))
    }
  }
}
