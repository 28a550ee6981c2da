/**
 * Requests of lines: most lines have one to themselves. Lines that append device tokens to the same entry share one, because
 * services lose concurrent appends, and because it is faster.
 */
import { maxTokens, partialRejections, tokensIn, withTokens } from "@signalbox/core/Credentials"
import * as Effect from "effect/Effect"
import type { InputLine } from "../input/InputLine.ts"
import { isValid, type LineRequest, type LineRunKind, makeReadLine } from "../input/LineRequest.ts"
import type { OutcomeRecord } from "../journal/JournalRecord.ts"
import type { RunStopped } from "../RunError.ts"
import { type Delivery, mayResend, type PendingLine } from "./LineCall.ts"
import { interrupted, invalid } from "./LineOutcome.ts"
import type { Sender } from "./Sender.ts"

/** The lines of one request. */
export type Lines = ReadonlyArray<number>

/** The history of a line. */
export interface LineFacts {
  /** Generation of its idempotency key. */
  readonly generation: number
  /** Whether it was claimed by an earlier process and has no outcome since. */
  readonly isInDoubt: boolean
  /** Whether its outcome is `unknown`. */
  readonly isUnknown: boolean
  /** Whether its key may have been used so long ago that the service applies the line again. */
  readonly isKeyExpired: boolean
  /** The lines of its earlier request: sent again, it is sent with the same ones. Absent for a line that can join others. */
  readonly sentWith?: Lines | undefined
}

interface Part extends LineFacts {
  readonly line: number
  readonly request: LineRequest
}

/** The lines of one request, with what is needed to send them. */
export interface Unit {
  readonly lines: Lines
  readonly parts: ReadonlyArray<Part>
  /** Whether an earlier process claimed exactly these lines. */
  readonly isInDoubt: boolean
}

/** The unit of some lines. */
export const unitOf = (parts: ReadonlyArray<Part>): Unit => ({
  lines: parts.map(({ line }) => line),
  parts,
  isInDoubt: parts.every((part) => part.isInDoubt)
})

const tokensOf = ({ request }: Part): ReadonlyArray<string> =>
  request.kind === "import" ? tokensIn(request.input) : []

/** The entry that a request changes; no provider has a line break in its id. */
const entryOf = ({ request }: Part): string =>
  `${request.kind === "import" ? request.input.providerId : ""}\n${request.subscriberId}`

/** Everything but the tokens, for lines that append some. */
const restOf = (part: Part): string | undefined => {
  const { request } = part
  return request.kind === "import" && tokensOf(part).length > 0
    ? JSON.stringify(withTokens(request.input, []))
    : undefined
}

/** Whether a line can share the request of other lines of its entry, which are in one already. */
const mayJoin = (parts: ReadonlyArray<Part>, part: Part): boolean => {
  const [first = part] = parts
  const rest = restOf(part)
  return (
    rest !== undefined &&
    first.sentWith === undefined &&
    part.sentWith === undefined &&
    restOf(first) === rest &&
    new Set([...parts, part].flatMap(tokensOf)).size <= maxTokens
  )
}

/** Reads lines, and divides them into requests: returns those, and the outcomes of invalid lines. */
export const makePlan = (kind: LineRunKind, defaults: Readonly<Record<string, string>>) => {
  const readLine = makeReadLine(kind, defaults)
  return (inputs: ReadonlyArray<InputLine>, factsOf: (line: number) => LineFacts) => {
    const invalidLines: Array<OutcomeRecord> = []
    const made: Array<Array<Part>> = []
    /** The unit that the next line of an entry may join; only the last one, so that an entry is changed in order. */
    const last = new Map<string, Array<Part>>()
    const resent = new Map<Lines, Array<Part>>()
    for (const input of inputs) {
      const { line } = input
      const request = readLine(input)
      if (!isValid(request)) {
        invalidLines.push(invalid(line, request))
        continue
      }
      const part: Part = { line, request, ...factsOf(line) }
      const { sentWith } = part
      const entry = entryOf(part)
      const open = last.get(entry)
      const others =
        (sentWith && resent.get(sentWith)) ?? (open !== undefined && mayJoin(open, part) ? open : undefined)
      if (others !== undefined) {
        others.push(part)
        continue
      }
      const parts = [part]
      made.push(parts)
      last.set(entry, parts)
      if (sentWith !== undefined && sentWith.length > 1) resent.set(sentWith, parts)
    }
    return { units: made.map(unitOf), invalid: invalidLines }
  }
}

/**
 * The outcomes of a unit that may have been applied and cannot be sent again without harm, and the lines that are `unknown`
 * already; `undefined` where it can be sent.
 */
export const outcomesUnsent = ({ lines, parts }: Unit, delivery: Delivery) => {
  const exposed = parts.filter(({ isInDoubt, isUnknown }) => isInDoubt || isUnknown)
  const isKeyExpired = exposed.some((part) => part.isKeyExpired)
  // With other lines than before, it has another key.
  const isSame = parts.every(({ sentWith = lines }) => sentWith.length === lines.length)
  const keysHonoured = delivery.keysHonoured && !isKeyExpired && isSame
  if (exposed.every(({ request }) => mayResend(request, { ...delivery, keysHonoured }))) return undefined
  const isTooLate = isKeyExpired && delivery.keysHonoured
  return {
    unchanged: parts.filter(({ isUnknown }) => isUnknown).map(({ line }) => line),
    records: parts
      .filter(({ isUnknown }) => !isUnknown)
      .map(({ generation, line }) => interrupted(line, generation, isTooLate))
  }
}

/** The result of sending a unit. */
export interface SentUnit {
  /** Its outcomes; none for lines that were not sent, or were certainly not applied, before sending stopped. */
  readonly records: ReadonlyArray<OutcomeRecord>
  /** Why the whole run must stop. */
  readonly stopped: RunStopped | undefined
}

const alone = ({ generation, isInDoubt, isUnknown, line, request }: Part): PendingLine => ({
  line,
  request,
  generation,
  exposures: isInDoubt || isUnknown ? 1 : 0
})

const together = ({ lines, parts }: Unit, first: PendingLine): PendingLine => {
  const { request } = first
  if (lines.length === 1 || request.kind !== "import") return first
  const input = withTokens(request.input, [...new Set(parts.flatMap(tokensOf))])
  return { ...first, lines, request: { ...request, input } }
}

/**
 * Sends a unit. Lines whose common request is rejected are sent one by one, after `claimAlone`: each keeps its own
 * outcome.
 */
export const sendUnit = Effect.fnUntraced(function* <E>(
  sender: Sender,
  { keysHonoured }: Delivery,
  unit: Unit,
  {
    beforeRequest,
    claimAlone
  }: { readonly beforeRequest: Effect.Effect<void>; readonly claimAlone: Effect.Effect<void, E> }
): Effect.fn.Return<SentUnit, E> {
  const { lines, parts } = unit
  const [part] = parts
  if (part === undefined) return { records: [], stopped: undefined }
  const { record, stopped } = yield* sender.send({ ...together(unit, alone(part)), beforeRequest })
  if (record?.outcome === "failed" && lines.length > 1 && partialRejections.has(record.reason)) {
    yield* claimAlone
    const records: Array<OutcomeRecord> = []
    for (const each of parts) {
      const sent = yield* sender.send({ ...alone(each), beforeRequest })
      if (sent.record !== undefined) records.push(sent.record)
      if (sent.stopped !== undefined) return { records, stopped: sent.stopped }
    }
    return { records, stopped: undefined }
  }
  if (record === undefined) return { records: [], stopped }
  const isMaybeTwice = keysHonoured && part.isKeyExpired && record.outcome !== "failed"
  const shared = isMaybeTwice ? { ...record, mayHaveBeenAppliedTwice: true as const } : record
  return { records: lines.map((line) => Object.assign({}, shared, { line })), stopped }
})
