/**
 * The finding of a calibration about a switch of the fake.
 */
import type { Switches } from "@signalbox/test-harness"
import type { Reply } from "./Deployment.ts"

/** Name of a switch of the fake. */
export type SwitchName = keyof Switches

/** The value that a deployment behaves like, with the evidence for it. */
export interface Settled<Value extends string> {
  readonly _tag: "Settled"
  readonly value: Value
  readonly evidence: string
  /** How many responses or records show it, at least one. */
  readonly observations: number
}

/** Why the value of a switch could not be determined. */
export interface Unknown {
  readonly _tag: "Unknown"
  readonly reason: string
}

/** The finding for each of some switches. */
export type Findings<Name extends SwitchName> = { readonly [Each in Name]: Settled<Switches[Each]> | Unknown }

/** Findings of a question; that together they cover every switch is checked where they are put together. */
export type SomeFindings = Partial<Findings<SwitchName>>

/** A value with its evidence: one response, unless more were observed. */
export const settled = <const Value extends string>(
  value: Value,
  evidence: string,
  observations = 1
): Settled<Value> => ({
  _tag: "Settled",
  value,
  evidence,
  observations
})

/** No value, with the reason. */
export const unknown = (reason: string): Unknown => ({ _tag: "Unknown", reason })

/** The same reason for several switches. */
export const allUnknown = <const Name extends SwitchName>(names: ReadonlyArray<Name>, reason: string) => {
  const findings: Partial<Record<Name, Unknown>> = {}
  for (const name of names) findings[name] = unknown(reason)
  // Every name was given the reason above.
  return findings as Readonly<Record<Name, Unknown>>
}

/** One of two values. */
export const either = <const Yes extends string, const No extends string>(
  condition: boolean,
  yes: Yes,
  no: No,
  evidence: string,
  observations = 1
): Settled<Yes | No> => settled(condition ? yes : no, evidence, observations)

/** A request and the status of its response. */
export const evidenceOf = ({ status, what }: Reply): string => `${what}: ${status}`

/** Statuses of a request that is wrong, as opposed to one that the service could not process. */
const rejections: ReadonlySet<number> = new Set([400, 409, 413, 422])

const unexpected = (reply: Reply): Unknown => unknown(`${evidenceOf(reply)}, which the fake cannot imitate`)

/** The value that is the status of a rejection. */
export const statusOf = <const Value extends string>(
  reply: Reply,
  values: ReadonlyArray<Value>
): Settled<Value> | Unknown => {
  const value = values.find((each) => each === String(reply.status))
  return value === undefined ? unexpected(reply) : settled(value, evidenceOf(reply))
}

/** The finding of a response that shows the effect of a request; a rejected request shows none. */
export const shownBy = <Finding>(reply: Reply, finding: () => Finding): Finding | Unknown =>
  reply.isAccepted ? finding() : unexpected(reply)

/** One value if the request was accepted, another one if it was rejected as a bad request. */
export const acceptedOrRejected = <const Accepted extends string, const Rejected extends string>(
  reply: Reply,
  accepted: Accepted,
  rejected: Rejected,
  evidence = evidenceOf(reply)
): Settled<Accepted | Rejected> | Unknown =>
  reply.isAccepted || rejections.has(reply.status)
    ? either(reply.isAccepted, accepted, rejected, evidence)
    : unexpected(reply)

/** One value if the request was accepted, otherwise the status of its rejection. */
export const acceptedOr = <const Accepted extends string, const Value extends string>(
  reply: Reply,
  accepted: Accepted,
  values: ReadonlyArray<Value>
): Settled<Accepted | Value> | Unknown =>
  reply.isAccepted ? settled(accepted, evidenceOf(reply)) : statusOf(reply, values)
