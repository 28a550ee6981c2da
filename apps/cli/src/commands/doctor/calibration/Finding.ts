/**
 * The finding of a calibration about a switch of the fake.
 */
import type { Switches } from "@signalbox/test-harness"
import { document, switchRow } from "@signalbox/test-harness/internal/switches/Switches"
import * as Record from "effect/Record"
import type { Reply } from "./Deployment.ts"

/** Name of a switch of the fake. */
export type SwitchName = keyof Switches

/** The value that a deployment behaves like, with the evidence for it. */
export interface Settled<Value extends string = string> {
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

/** The finding for each switch. */
export type Findings = { readonly [Name in SwitchName]: Settled<Switches[Name]> | Unknown }

/** The findings of some questions. */
export type SomeFindings = Partial<Findings>

/** A value with its evidence: one response, unless more were observed. */
export const settled = <const Value extends string>(
  value: Value,
  evidence: string,
  observations = 1
): Settled<Value> => ({ _tag: "Settled", value, evidence, observations })

/** No value, with the reason. */
export const unknown = (reason: string): Unknown => ({ _tag: "Unknown", reason })

/** The finding for each switch that no question has settled. */
export const unsettled = (reasonOf: (name: SwitchName) => string): Findings =>
  Record.map(document, (_, name) => unknown(reasonOf(name)))

/** The first value whose condition is met. Values that are numbers come first. */
export const choose = <const Value extends string>(
  evidence: string,
  conditions: { readonly [Each in Value]: boolean },
  observations = 1
): Settled<Value> | Unknown => {
  // `keys` returns the names of the conditions.
  const value = (Object.keys(conditions) as Array<Value>).find((each) => conditions[each])
  return value === undefined ? unknown(evidence) : settled(value, evidence, observations)
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

/** Behaviour that no value of a switch stands for. */
export const inimitable = (evidence: string): Unknown => unknown(`${evidence}, which the fake cannot imitate`)

/** Statuses of a request that is wrong, as opposed to one that the service could not process. */
const rejections: ReadonlySet<number> = new Set([400, 409, 413, 422])

/**
 * The value that a status shows: `accepted` if the request was accepted, otherwise the status itself if that is a value
 * of the switch, and `rejected` for any other status of a bad request.
 */
export const byStatus = <Name extends SwitchName>(
  name: Name,
  reply: Reply,
  shown: { readonly accepted?: Switches[Name]; readonly rejected?: Switches[Name] } = {},
  evidence = evidenceOf(reply)
): Settled<Switches[Name]> | Unknown => {
  const value = reply.isAccepted
    ? shown.accepted
    : (switchRow(name).values.find((each) => each === String(reply.status)) ??
      (rejections.has(reply.status) ? shown.rejected : undefined))
  // The values of a row are those of its switch.
  return value === undefined ? inimitable(evidence) : settled(value as Switches[Name], evidence)
}

/** The finding of a response that shows the effect of a request; a rejected request shows none. */
export const shownBy = <Finding>(reply: Reply, finding: () => Finding): Finding | Unknown =>
  reply.isAccepted ? finding() : inimitable(evidenceOf(reply))
