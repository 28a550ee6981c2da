import type { EventRecord, StepRecord, SubscriberRecord } from "../state/Records.ts"

const at = (value: unknown, path: ReadonlyArray<string>): unknown => {
  let inner = value
  for (const key of path) {
    if (typeof inner !== "object" || inner === null || !Object.hasOwn(inner, key)) return undefined
    inner = Object.getOwnPropertyDescriptor(inner, key)?.value
  }
  return inner
}

const valueOf = (on: string, field: string, event: EventRecord, subscriber: Partial<SubscriberRecord>): unknown =>
  at(on === "subscriber" ? subscriber : event.payload, field.split("."))

const textOf = (value: unknown): string =>
  typeof value === "string" ? value : value === undefined ? "" : JSON.stringify(value)

const compare = (operator: string, text: string, wanted: string): boolean => {
  switch (operator) {
    case "EQUAL":
      return text === wanted
    case "NOT_EQUAL":
      return text !== wanted
    case "LARGER":
      return Number(text) > Number(wanted)
    case "LARGER_EQUAL":
      return Number(text) >= Number(wanted)
    case "SMALLER":
      return Number(text) < Number(wanted)
    case "SMALLER_EQUAL":
      return Number(text) <= Number(wanted)
    case "LIKE":
      return text.includes(wanted)
    case "NOT_LIKE":
      return !text.includes(wanted)
    case "IN":
    case "ANY_IN":
      return wanted.split(",").includes(text)
    case "NOT_IN":
      return !wanted.split(",").includes(text)
    default:
      // Conditions that the fake cannot evaluate are treated as met.
      return true
  }
}

/** A condition and its outcome, in the form in which the service reports it. */
interface Evaluated {
  readonly filter: string
  readonly field: string
  readonly expected: string
  readonly actual: string
  readonly operator: string
  readonly passed: boolean
}

/** The conditions of a step and their outcomes, and whether the step runs. */
export interface Evaluation {
  readonly conditions: ReadonlyArray<Evaluated>
  readonly passed: boolean
}

/** Evaluates the conditions of a step; a step without conditions runs. */
export const evaluate = (step: StepRecord, event: EventRecord, subscriber: Partial<SubscriberRecord>): Evaluation => {
  const groups = step.filters.map(({ children, isNegated, value }) => {
    const conditions = children.map(({ field = "", on, operator = "", value: expected = "" }): Evaluated => {
      const actual = textOf(valueOf(on, field, event, subscriber))
      const filter = `${on.slice(0, 1).toUpperCase()}${on.slice(1)}`
      return { filter, field, expected, actual, operator, passed: compare(operator, actual, expected) }
    })
    const holds =
      value === "AND"
        ? conditions.every(({ passed }) => passed)
        : conditions.length === 0 || conditions.some(({ passed }) => passed)
    return { conditions, passed: holds !== isNegated }
  })
  return {
    conditions: groups.flatMap(({ conditions }) => conditions),
    passed: groups.every(({ passed }) => passed)
  }
}

/** A string with `{{payload.x}}` and `{{subscriber.x}}` filled in; unknown variables become empty. */
export const filledIn = (text: string, event: EventRecord, subscriber: Partial<SubscriberRecord>): string =>
  text.replaceAll(/\{\{\s*(payload|subscriber)\.([\w.]+)\s*\}\}/gu, (_, on: string, field: string) => {
    const value = valueOf(on, field, event, subscriber)
    return value == null ? "" : typeof value === "object" ? JSON.stringify(value) : String(value)
  })

export const digestValue = (step: StepRecord, event: EventRecord): string =>
  step.digestKey === undefined
    ? ""
    : JSON.stringify(at(event.payload, step.digestKey.replace(/^payload\./u, "").split(".")) ?? null)
