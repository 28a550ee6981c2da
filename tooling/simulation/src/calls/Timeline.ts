/**
 * A scenario as people read it: who asked for what, what went wrong, and who was told what, in order of time.
 */
import type { JournalEntry } from "@signalbox/test-harness"
import { faultOf } from "../FaultPlan.ts"
import type { Observation, ObservedCall } from "./Observation.ts"
import { workOf } from "./Program.ts"
import type { PlannedCall, Scenario } from "./Scenario.ts"
import { start } from "../VirtualTime.ts"

interface Line {
  readonly at: number
  readonly text: string
}

const described = (plan: PlannedCall): string =>
  [
    workOf(plan),
    `key ${plan.key}`,
    ...(plan.client === 0 ? [] : ["other client"]),
    ...(plan.saysHonoured ? ["says keys are honoured"] : []),
    ...(plan.retry === "default" ? [] : [`retry ${plan.retry}`]),
    ...(plan.timeouts === "default" ? [] : [`timeouts ${plan.timeouts}`]),
    ...(plan.reading === "tolerant" ? [] : ["strict"]),
    ...(plan.givesUpAfter === undefined ? [] : [`gives up after ${plan.givesUpAfter} ms`])
  ].join(", ")

const answered = ({ answerHeaders, replayed, told }: JournalEntry): string => {
  const hint = answerHeaders["retry-after"]
  const more = `${hint === undefined ? "" : `, retry after ${hint}`}${replayed ? ", replayed" : ""}`
  switch (told._tag) {
    case "Answer":
      return `answers ${told.status}${more}`
    case "CutAnswer":
      return `answers ${told.status} and breaks off: ${told.ending}`
    case "Nothing":
      return `answers nothing: ${told.ending}`
    case "ClientLeft":
      return "has nobody to answer"
    case "Pending":
      return "has not answered"
  }
}

const told = ({ told: end }: ObservedCall): string => {
  switch (end._tag) {
    case "Value":
      return "succeeds"
    case "Error":
      return `fails: ${end.error.message}`
    case "Interrupted":
      return "is given up"
    case "Defect":
      return "dies"
  }
}

const linesOfRequest = (
  call: ObservedCall,
  request: JournalEntry,
  name: (key: string) => string
): ReadonlyArray<Line> => {
  const { applied, attempt, faults, idempotencyKey, passages } = request
  const key = idempotencyKey === undefined ? "no key" : `key ${name(idempotencyKey)}`
  const last = passages.at(-1)?.at ?? request.at
  return [
    { at: request.at, text: `call ${call.number}: request ${request.number} arrives, attempt ${attempt} with ${key}` },
    ...passages
      .filter(({ point }) => point === "committed")
      .map(({ at }) => ({
        at,
        text: `call ${call.number}: request ${request.number} ${applied ? "is applied" : "is done"}`
      })),
    {
      at: last,
      text: `call ${call.number}: the service ${answered(request)}${faults.length === 0 ? "" : ` (${faults.join("; ")})`}`
    }
  ]
}

/** Names of keys that are the same on every run: random keys are not. */
const makeNames = (): ((key: string) => string) => {
  const names = new Map<string, string>()
  return (key) => {
    const name = names.get(key) ?? String.fromCharCode("A".charCodeAt(0) + names.size)
    names.set(key, name)
    return name
  }
}

const world = ({ ahead, faults, keys, preset, seed, vendor }: Scenario): ReadonlyArray<string> => [
  `preset ${preset === "seeded" ? `seeded(${seed})` : preset}, keys ${keys}, seed ${seed}, vendor ${vendor}`,
  ...(ahead === 0 ? [] : [`the clock of the service is ${ahead} ms ahead`]),
  ...faults.map((plan) => `fault ${JSON.stringify(faultOf(plan))}`)
]

/** The timeline of a scenario, one line each; the same for every run of it. */
export const timeline = (observation: Observation): ReadonlyArray<string> => {
  const { scenario } = observation
  const name = makeNames()
  const withKeys = (text: string) =>
    text.replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/gu, (key) => name(key))
  const lines = observation.calls.flatMap((call): ReadonlyArray<Line> => [
    { at: call.beganAt, text: `call ${call.number}: ${described(call.plan)}` },
    ...call.requests
      .flatMap((request) => linesOfRequest(call, request, name))
      .map(({ at, text }) => ({ at: at - scenario.ahead, text })),
    { at: call.endedAt, text: `call ${call.number}: ${told(call)}` }
  ])
  return [
    ...world(scenario),
    ...lines
      .toSorted((one, other) => one.at - other.at)
      .map(({ at, text }) => `${String(at - start).padStart(7)} ms  ${withKeys(text)}`)
  ]
}
