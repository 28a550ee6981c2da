import { isJsonObject, type JsonObject, parseJson } from "@signalbox/core/internal/reading/JsonObject"

/** How a body can depart from the contract. */
export type DriftKind = "unknown-enum-value" | "unknown-field" | "missing-field" | "null"

/** A departure from the contract, at the first place that fits or at the named field. */
interface Drift {
  readonly kind: DriftKind
  /** A name, or a path such as `data[].jobs[0].type`, in which `[]` is the first element that fits. */
  readonly field?: string
}

/** A changed value, and the description of the change with its path. */
interface Drifted {
  readonly value: unknown
  readonly effect: string
}

/** Response fields whose values the document enumerates. */
const enumerated: ReadonlySet<string> = new Set(["channel", "channels", "providerId", "status", "source", "type"])

/** Required response fields; every response that contains a record has one of them. */
const required: ReadonlySet<string> = new Set(["subscriberId", "transactionId", "hasMore"])

const isEnumerated = (value: unknown): boolean =>
  typeof value === "string" || (Array.isArray(value) && value.some((item) => typeof item === "string"))

const unknownValue = "of-tomorrow"

const pathTo = (path: string, name: string): string => (path === "" ? name : `${path}.${name}`)

/** A record with the drift applied; `undefined` if the drift does not fit this record. */
const inRecord = (record: JsonObject, path: string, kind: DriftKind, field?: string): Drifted | undefined => {
  if (kind === "unknown-field") {
    const name = field ?? "fieldOfTomorrow"
    return { value: { ...record, [name]: unknownValue }, effect: `added ${pathTo(path, name)}` }
  }
  const usual = kind === "unknown-enum-value" ? enumerated : required
  const name = Object.keys(record).find((one) => (field === undefined ? usual.has(one) : one === field))
  if (name === undefined) return undefined
  const { [name]: old, ...others } = record
  const place = pathTo(path, name)
  if (kind === "missing-field") return { value: others, effect: `removed ${place}` }
  if (kind === "null") return { value: { ...record, [name]: null }, effect: `set ${place} to null` }
  if (!isEnumerated(old)) return undefined
  return Array.isArray(old)
    ? {
        value: { ...record, [name]: [unknownValue, ...old.slice(1)] },
        effect: `set ${place}[0] to "${unknownValue}"`
      }
    : { value: { ...record, [name]: unknownValue }, effect: `set ${place} to "${unknownValue}"` }
}

type Change = (value: unknown, path: string) => Drifted | undefined

/** Changes the first of some elements that the change fits. */
const inElements = (list: ReadonlyArray<unknown>, path: string, change: Change, only?: number): Drifted | undefined => {
  for (const [index, element] of list.entries()) {
    const changed = only === undefined || only === index ? change(element, `${path}[${index}]`) : undefined
    if (changed !== undefined) return { ...changed, value: list.with(index, changed.value) }
  }
  return undefined
}

const inField = (record: JsonObject, name: string, path: string, change: Change): Drifted | undefined => {
  if (!Object.hasOwn(record, name)) return undefined
  const changed = change(record[name], pathTo(path, name))
  return changed && { ...changed, value: { ...record, [name]: changed.value } }
}

/** The steps of a path: names, and indices of elements, which are empty for the first one that fits. */
const stepsOf = (field: string): ReadonlyArray<string> => field.replaceAll("[", ".[").split(".")

/** Applies a drift where a path leads. */
const along =
  (kind: DriftKind, [step = "", ...rest]: ReadonlyArray<string>): Change =>
  (value, path) => {
    const index = /^\[(\d*)\]$/u.exec(step)?.[1]
    if (index !== undefined && Array.isArray(value))
      return inElements(value, path, along(kind, rest), index === "" ? undefined : Number(index))
    if (!isJsonObject(value)) return undefined
    return rest.length === 0 ? inRecord(value, path, kind, step) : inField(value, step, path, along(kind, rest))
  }

const search =
  (drift: Drift): Change =>
  (value, path) => {
    const { field, kind } = drift
    const inside = search(drift)
    if (Array.isArray(value)) return inElements(value, path, inside)
    if (!isJsonObject(value)) return undefined
    const steps = field === undefined ? [] : stepsOf(field)
    const own = () => (field === undefined ? inRecord(value, path, kind) : along(kind, steps)(value, path))
    const among = (names: ReadonlyArray<string>) => {
      for (const name of names) {
        const found = inField(value, name, path, inside)
        if (found !== undefined) return found
      }
      return undefined
    }
    // The records of an envelope or a page are in its `data`; a path can start there, too.
    return (steps.length > 1 ? own() : undefined) ?? among(["data"]) ?? own() ?? among(Object.keys(value))
  }

/**
 * A body with the drift at the first place that fits, records of a list before the list's own fields; `undefined` if
 * no place fits.
 */
export const driftedBody = (body: unknown, drift: Drift): Drifted | undefined => search(drift)(body, "")

/** A JSON body with the drift applied, and the description of the change; `undefined` if no place fits. */
export const driftedText = (body: string, drift: Drift): readonly [text: string, effect: string] | undefined => {
  const drifted = driftedBody(parseJson(body), drift)
  return drifted && [JSON.stringify(drifted.value), drifted.effect]
}

const namesIn = (value: unknown): ReadonlyArray<string> => {
  if (Array.isArray(value)) return value.flatMap(namesIn)
  return isJsonObject(value) ? [...Object.keys(value), ...Object.values(value).flatMap(namesIn)] : []
}

/** The first name of a path that a body does not have anywhere, and those that it has. */
export const missingName = (
  body: unknown,
  field: string
): { readonly name: string; readonly names: ReadonlyArray<string> } | undefined => {
  const names = [...new Set(namesIn(body))]
  const name = stepsOf(field).find((step) => !step.startsWith("[") && !names.includes(step))
  return name === undefined ? undefined : { name, names }
}
