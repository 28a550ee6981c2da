import { keyFor } from "../../actions/Action.ts"
import type { State } from "../../state/State.ts"
import type { Glyphs } from "../../theme/Glyphs.ts"
import type { Tone } from "../../view/Row.ts"
import type { MarkOutcome, MarkRequest, MarkResult } from "../../state/Mark.ts"

interface Look {
  readonly sign: keyof Glyphs
  readonly tone: Tone
  /** Whether sending it again can help. */
  readonly canResend: boolean
  readonly sentence: (what: string, sendAgain: string) => string
}

const looks: Readonly<Record<MarkResult, Look>> = {
  done: { sign: "ok", tone: "ok", canResend: false, sentence: (what) => `${what} was accepted by the service` },
  "no record": {
    sign: "warning",
    tone: "warning",
    canResend: false,
    sentence: (what) =>
      `${what} was accepted, but the response does not include this message; check the id and its subscriber`
  },
  refused: {
    sign: "failed",
    tone: "failed",
    canResend: true,
    sentence: (what, key) => `${what} failed and changed nothing; ${key} sends it again`
  },
  unsure: {
    sign: "unknown",
    tone: "failed",
    canResend: true,
    sentence: (what, key) => `${what} failed, but may have been applied; ${key} sends it again`
  },
  "not tried": {
    sign: "skipped",
    tone: "warning",
    canResend: true,
    sentence: (what, key) => `${what} was not sent because another part failed first; ${key} sends it`
  }
}

/** The result as sign and word. */
export const resultText = (result: MarkResult, glyphs: Glyphs): string => `${glyphs[looks[result].sign]} ${result}`

/** The tone of a result. */
export const resultTone = (result: MarkResult): Tone => looks[result].tone

/** Describes the outcome of the message and the next step in one sentence. */
export const resultSentence = ({ result, mark, why }: MarkOutcome, state: State): string => {
  const sentence = looks[result].sentence(
    `${mark.undoes === undefined ? "the mark as" : "the undo to"} ${mark.markAs}`,
    keyFor(state, "send again")
  )
  return why === undefined ? sentence : `${sentence} (${why})`
}

/** A message that may have been part of a mark. */
interface Marked {
  readonly id: string
  readonly outcome?: MarkOutcome
}

/** The marks that are to be sent again: of each, only the messages that failed or were not tried. */
export const unfinished = (messages: ReadonlyArray<Marked>): ReadonlyArray<MarkRequest> => {
  const marks = new Map<number, MarkRequest>()
  for (const { id, outcome } of messages) {
    if (outcome === undefined || !looks[outcome.result].canResend) continue
    const { mark } = outcome
    marks.set(mark.number, { ...mark, ids: [...(marks.get(mark.number)?.ids ?? []), id] })
  }
  return Array.from(marks.values())
}
