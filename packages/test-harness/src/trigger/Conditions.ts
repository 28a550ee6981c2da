/**
 * Conditions of steps, and the variables of message contents.
 */
import type { EventRecord, StepRecord, SubscriberRecord } from "../state/Records.ts"

const at = (value: unknown, path: ReadonlyArray<string>): unknown => {
  let inner = value
  for (const key of path) {
    if (typeof inner !== "object" || inner === null || !Object.hasOwn(inner, key)) return undefined
    inner = Object.getOwnPropertyDescriptor(inner, key)?.value
  }
  return inner
}

const valueOf = (on: string, field: string, event: EventRecord, subscriber: SubscriberRecord): unknown =>
  at(on === "subscriber" ? subscriber : event.payload, field.split("."))

const compare = (operator: string, value: unknown, wanted: string): boolean => {
  const text = typeof value === "string" ? value : value === undefined ? "" : JSON.stringify(value)
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

/** Whether all conditions of a step are met. */
export const conditionsHold = (step: StepRecord, event: EventRecord, subscriber: SubscriberRecord): boolean =>
  step.filters.every(({ children, isNegated, value }) => {
    const environment = children.map((child) =>
      compare(child.operator, valueOf(child.on, child.field, event, subscriber), child.value)
    )
    const holds = value === "AND" ? environment.every(Boolean) : environment.length === 0 || environment.some(Boolean)
    return holds !== isNegated
  })

/** A string with `{{payload.x}}` and `{{subscriber.x}}` filled in; unknown variables become empty. */
export const filledIn = (text: string, event: EventRecord, subscriber: SubscriberRecord): string =>
  text.replaceAll(/\{\{\s*(payload|subscriber)\.([\w.]+)\s*\}\}/gu, (_, on: string, field: string) => {
    const value = valueOf(on, field, event, subscriber)
    return value == null ? "" : typeof value === "object" ? JSON.stringify(value) : String(value)
  })

/** The value that a digest groups by. */
export const digestValue = (step: StepRecord, event: EventRecord): string =>
  step.digestKey === undefined
    ? ""
    : JSON.stringify(at(event.payload, step.digestKey.replace(/^payload\./u, "").split(".")) ?? null)
