/**
 * Which code of which modules ran, by V8's own block coverage.
 */
import { type Profiler, Session } from "node:inspector"

/** The characters of each function that ran. */
export type Reached = ReadonlyMap<string, Uint8Array>

/** Counts from its start; modules must be imported later, since V8 counts no blocks of functions that are compiled. */
export interface Coverage extends Disposable {
  /** The code that ran since the last call. */
  readonly take: () => Reached
}

type Taken = Profiler.TakePreciseCoverageReturnType

/** V8 lists a block only where its count differs from that of the code around it, which comes first. */
const charactersOf = (ranges: ReadonlyArray<Profiler.CoverageRange>): Uint8Array => {
  const [whole] = ranges
  if (whole === undefined) return new Uint8Array()
  const characters = new Uint8Array(whole.endOffset - whole.startOffset)
  for (const { count, endOffset, startOffset } of ranges) {
    characters.fill(count > 0 ? 1 : 0, startOffset - whole.startOffset, endOffset - whole.startOffset)
  }
  return characters
}

const reachedIn = ({ result }: Taken, counts: (url: string) => boolean): Reached => {
  const reached = new Map<string, Uint8Array>()
  for (const { functions, url } of result) {
    if (!counts(url)) continue
    for (const { functionName, ranges } of functions) {
      const [whole] = ranges
      if (whole !== undefined && whole.count > 0) {
        reached.set(`${url} ${functionName} ${whole.startOffset}`, charactersOf(ranges))
      }
    }
  }
  return reached
}

/** Starts to count in the modules whose addresses `counts` accepts. */
export const startCoverage = (counts: (url: string) => boolean): Coverage => {
  const session = new Session()
  session.connect()
  session.post("Profiler.enable")
  session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: true })
  return {
    take: () => {
      let taken: Taken = { result: [] }
      // A session in its own thread responds before `post` returns.
      session.post("Profiler.takePreciseCoverage", (error, response) => {
        if (error !== null) throw error
        taken = response
      })
      return reachedIn(taken, counts)
    },
    [Symbol.dispose]: () => session.disconnect()
  }
}
