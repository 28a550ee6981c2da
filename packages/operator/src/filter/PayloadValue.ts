/**
 * Values of payloads: "the customer says that order A-4226 got no mail" names one.
 */
import type { ActivityNotification } from "@signalbox/core/Records"

/** The longest value that is searched; longer ones are contents, not names of things. */
const longestValue = 200

/** Only this many values of one payload are searched. */
const valueLimit = 50

/** The strings and numbers of a payload, also those of nested fields, the outer ones first. */
export const payloadValues = ({ payload }: ActivityNotification): ReadonlyArray<string> => {
  const queue: Array<unknown> = [payload]
  const values: Array<string> = []
  for (let at = 0; at < queue.length && at < valueLimit * 4 && values.length < valueLimit; at += 1) {
    const value = queue[at]
    if (typeof value === "object" && value !== null) queue.push(...Object.values(value))
    else if (typeof value === "number") values.push(String(value))
    else if (typeof value === "string" && value.length <= longestValue) values.push(value)
  }
  return values
}

const fieldOf = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null && Object.hasOwn(value, name)
    ? // An own key of an object can be read.
      (value as Readonly<Record<string, unknown>>)[name]
    : undefined

/** Whether a field of the payload has a value; `path` is as in `order.id`. A list has each of its elements. */
export const hasPayloadValue = ({ payload }: ActivityNotification, path: string, wanted: string): boolean => {
  const found = path.split(".").reduce<unknown>(fieldOf, payload)
  return [found].flat().some((value) => String(value).toLowerCase() === wanted.toLowerCase())
}

/** The values of a filter by their fields, in the order of the filter. */
export const byField = (values: ReadonlyArray<string>): ReadonlyMap<string, ReadonlyArray<string>> => {
  const fields = new Map<string, ReadonlyArray<string>>()
  for (const value of values) {
    const [path, own] = splitPayloadValue(value)
    fields.set(path, [...(fields.get(path) ?? []), own])
  }
  return fields
}

/** A value of the key `payload` in a filter: the path of the field, a colon, the value. */
export const splitPayloadValue = (text: string): readonly [path: string, value: string] => {
  const colon = text.indexOf(":")
  return [text.slice(0, colon), text.slice(colon + 1)]
}
