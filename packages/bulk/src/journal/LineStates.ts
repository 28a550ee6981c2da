/**
 * The state of every line of a run, in two bytes a line.
 *
 * Bits 0 to 2: the last outcome. Bit 3: claimed, that is, handed over for sending without an outcome yet. Bits 4 to 7:
 * generation of the next idempotency key. Bits 8 to 14: pass of the last outcome. Bit 15: may have been applied twice.
 */

/** The outcomes of a line; `unknown` may have been applied. */
export const outcomes = ["succeeded", "failed", "unknown", "invalid"] as const

/** The outcome of a line. */
export type LineOutcome = (typeof outcomes)[number]

/** How many lines have each outcome. */
export type OutcomeCounts = { readonly [Name in LineOutcome]: number }

/** Lines that follow each other. */
export type LineSpan = readonly [from: number, to: number]

/** The ranges of lines that are in order. */
export const rangesOf = (lines: ReadonlyArray<number>): ReadonlyArray<LineSpan> => {
  const ranges: Array<[from: number, to: number]> = []
  for (const line of lines) {
    const last = ranges.at(-1)
    if (last?.[1] === line - 1) last[1] = line
    else ranges.push([line, line])
  }
  return ranges
}

/** Whether a line is done in a pass: one without an outcome, and one of an earlier pass that failed or is unknown. */
export const isPending = (
  known: { readonly outcome: LineOutcome; readonly pass: number } | undefined,
  pass: number
): boolean => known === undefined || ((known.outcome === "failed" || known.outcome === "unknown") && known.pass < pass)

/** The highest pass that fits; a run can be retried this often. */
export const maxPass = 127

/** The highest generation that fits; a line that keeps failing stays on it. */
const maxGeneration = 15

const blockSize = 65_536
const claimedBit = 1 << 3
const twiceBit = 1 << 15

/** The time when a line was first handed over for sending, and the lines of its request. */
export interface Claim {
  /** Milliseconds since 1970. */
  readonly at: number
  readonly lines: ReadonlyArray<number>
}

/** The state of every line of a run. Lines are numbered from 1. */
export class LineStates {
  readonly #blocks: Array<Uint16Array | undefined> = []
  /** The claims of lines whose idempotency key may be used again. */
  readonly #claims = new Map<number, Claim>()
  readonly #counts = { succeeded: 0, failed: 0, unknown: 0, invalid: 0 }
  #claimed = 0
  #maybeTwice = 0

  #get(line: number): number {
    return this.#blocks[Math.floor(line / blockSize)]?.[line % blockSize] ?? 0
  }

  #set(line: number, state: number): void {
    const block = (this.#blocks[Math.floor(line / blockSize)] ??= new Uint16Array(blockSize))
    block[line % blockSize] = state
  }

  /** The last outcome of a line; `undefined` while it has none. */
  outcomeOf(line: number): LineOutcome | undefined {
    return outcomes[(this.#get(line) & 0b111) - 1]
  }

  /** The pass of the last outcome; 0 before the first outcome. */
  passOf(line: number): number {
    return (this.#get(line) >> 8) & maxPass
  }

  /** Generation of the idempotency key of the next call. */
  generationOf(line: number): number {
    return (this.#get(line) >> 4) & 0b1111
  }

  /** Whether the line was handed over for sending and has no outcome yet. */
  isClaimed(line: number): boolean {
    return (this.#get(line) & claimedBit) !== 0
  }

  /** Whether the line is to be done in a pass. */
  isPending(line: number, pass: number): boolean {
    const outcome = this.outcomeOf(line)
    return isPending(outcome && { outcome, pass: this.passOf(line) }, pass)
  }

  /** The claim under which the key of the next call was used; `undefined` for a key that was not used. */
  claimOf(line: number): Claim | undefined {
    return this.#claims.get(line)
  }

  /** Notes that a line is handed over for sending, or is not after all. */
  claim(line: number, claim: Claim | undefined): void {
    const isClaimed = claim !== undefined
    const known = this.#claims.get(line)
    if (claim === undefined) {
      if (this.outcomeOf(line) !== "unknown") this.#claims.delete(line)
    } else this.#claims.set(line, { ...claim, at: known?.at ?? claim.at })
    if (this.isClaimed(line) === isClaimed) return
    this.#claimed += isClaimed ? 1 : -1
    this.#set(line, this.#get(line) ^ claimedBit)
  }

  /** The lines that were handed over for sending and have no outcome yet. */
  claimedLines(): ReadonlyArray<number> {
    return [...this.#claims.keys()].filter((line) => this.isClaimed(line))
  }

  /** How many lines were handed over for sending and have no outcome yet. */
  get claimed(): number {
    return this.#claimed
  }

  /** Whether the service may have applied this line. */
  mayBeApplied(line: number): boolean {
    const outcome = this.outcomeOf(line)
    return this.isClaimed(line) || outcome === "succeeded" || outcome === "unknown"
  }

  /** Whether the service may have applied a line. */
  get mayHaveBeenApplied(): boolean {
    return this.#claimed + this.#counts.succeeded + this.#counts.unknown > 0
  }

  /** Records an outcome, which replaces an earlier one. */
  record(line: number, outcome: LineOutcome, pass: number, nextGeneration: number, isMaybeTwice: boolean): void {
    const generation = Math.min(nextGeneration, maxGeneration)
    const claim = generation === this.generationOf(line) && outcome === "unknown" ? this.claimOf(line) : undefined
    this.claim(line, undefined)
    if (claim === undefined) this.#claims.delete(line)
    else this.#claims.set(line, claim)
    const before = this.outcomeOf(line)
    if (before !== undefined) this.#counts[before]--
    this.#counts[outcome]++
    const wasTwice = this.isMaybeTwice(line)
    if (isMaybeTwice && !wasTwice) this.#maybeTwice++
    const twice = isMaybeTwice || wasTwice ? twiceBit : 0
    this.#set(line, (outcomes.indexOf(outcome) + 1) | (generation << 4) | (pass << 8) | twice)
  }

  /** Whether the service may have applied the line more than once, in any pass. */
  isMaybeTwice(line: number): boolean {
    return (this.#get(line) & twiceBit) !== 0
  }

  /** How many lines the service may have applied more than once. */
  get maybeTwice(): number {
    return this.#maybeTwice
  }

  /** How many lines have each outcome now. */
  counts(): OutcomeCounts {
    return { ...this.#counts }
  }
}
