/**
 * Jobs: commands that call the service or write a file, and end with one message.
 */
import { type CallInfo, withInfo } from "@signalbox/core/CallInfo"
import type { Problem } from "@signalbox/operator/report/ProblemReport"
import type * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type { Msg } from "../../state/Msg.ts"
import type { CallFacts, Request } from "../../state/Requests.ts"
import type { Host } from "../Host.ts"
import { problemFrom } from "../Problems.ts"
import type { Services, Session } from "../Session.ts"

/** The work of a command, as a task that the screens show. */
export interface Job {
  readonly label: string
  /** The request that is being made, where a job makes several. */
  readonly request?: () => Request | undefined
  /** A write is never interrupted by an operator who stops reading. */
  readonly writes?: true
  /** Waits for keys that have arrived: the demo responds at once, and its older pages are not urgent. */
  readonly yieldsToKeys?: true
  /** `report` shows how far it is. */
  readonly effect:
    | Effect.Effect<Msg, never, Services>
    | ((report: (progress: string) => void) => Effect.Effect<Msg, never, Services>)
}

/** The surroundings of a job. */
export interface JobContext {
  readonly session: Session
  readonly dispatch: (message: Msg) => void
  readonly host: Host
  readonly now: () => number
  /** Whether personal data is masked now. */
  readonly isMasked: () => boolean
}

const factsOf = (call: CallInfo): CallFacts => ({
  status: call.status,
  durationMs: call.durationMs,
  attempts: call.attempts.length,
  unreadable: call.unreadable,
  ...(call.idempotencyKey === undefined ? {} : { idempotencyKey: call.idempotencyKey }),
  ...(call.requestId === undefined ? {} : { requestId: call.requestId })
})

/** The message of a call that succeeded or failed. */
export const toMessage = <A, E, R>(
  { now }: Pick<JobContext, "now">,
  effect: Effect.Effect<A, E, R>,
  done: (value: A, call: CallFacts) => Msg,
  failed: (problem: Problem, cause: Cause.Cause<E>) => Msg
): Effect.Effect<Msg, never, R> =>
  Effect.map(Effect.exit(withInfo(effect)), (exit) =>
    Exit.isSuccess(exit)
      ? done(exit.value.value, factsOf(exit.value.call))
      : failed(problemFrom(exit.cause, now()), exit.cause)
  )

/** A failure in the line of notices. */
export const failedNotice = (text: string): Msg => ({ _tag: "Noticed", notice: { text, tone: "failed" } })

/** A problem in the line of notices. */
export const noticed = ({ advice, summary }: Problem): Msg => failedNotice(`${summary} ${advice}`)
