import { isJsonObject, type JsonObject } from "@signalbox/core/internal/reading/JsonObject"

/** How a body can depart from the contract. */
export type DriftKind = "unknown-enum-value" | "unknown-field" | "missing-field" | "null"

/** A departure from the contract, at the first place that fits or at the named field. */
interface Drift {
  readonly kind: DriftKind
  readonly field?: string
}

/** Response fields whose values the document enumerates. */
const enumerated: ReadonlySet<string> = new Set(["channel", "channels", "providerId", "status", "source", "type"])

/** Required response fields; every response that contains a record has one of them. */
const required: ReadonlySet<string> = new Set(["subscriberId", "transactionId", "hasMore"])

const isEnumerated = (value: unknown): boolean =>
  typeof value === "string" || (Array.isArray(value) && value.some((item) => typeof item === "string"))

const unknownValue = "of-tomorrow"

const replaced = (value: unknown): unknown => (Array.isArray(value) ? [unknownValue, ...value.slice(1)] : unknownValue)

/** A record with the drift applied; `undefined` if the drift does not fit this record. */
const drifted = (record: JsonObject, { field, kind }: Drift): JsonObject | undefined => {
  const fits = (usual: ReadonlySet<string>) =>
    Object.keys(record).find((name) => (field === undefined ? usual.has(name) : name === field))
  switch (kind) {
    case "unknown-field":
      return { ...record, [field ?? "fieldOfTomorrow"]: unknownValue }
    case "unknown-enum-value": {
      const name = fits(enumerated)
      if (name === undefined || !isEnumerated(record[name])) return undefined
      return { ...record, [name]: replaced(record[name]) }
    }
    case "missing-field": {
      const name = fits(required)
      return name === undefined
        ? undefined
        : Object.fromEntries(Object.entries(record).filter(([known]) => known !== name))
    }
    case "null": {
      const name = fits(required)
      return name === undefined ? undefined : { ...record, [name]: null }
    }
  }
}

const inFirst = (
  parts: ReadonlyArray<readonly [key: string, value: unknown]>,
  drift: Drift
): readonly [key: string, value: unknown] | undefined => {
  for (const [key, value] of parts) {
    const found = driftedBody(value, drift)
    if (found !== undefined) return [key, found]
  }
  return undefined
}

/**
 * A body with the drift at the first place that fits, records of a list before the list's own fields; `undefined` if
 * no place fits.
 */
export const driftedBody = (body: unknown, drift: Drift): unknown => {
  if (Array.isArray(body)) {
    const found = inFirst(Object.entries(body), drift)
    return found === undefined ? undefined : body.map((item, at) => (String(at) === found[0] ? found[1] : item))
  }
  if (!isJsonObject(body)) return undefined
  // The records of an envelope or a page are in its `data`.
  const inner = body["data"] === undefined ? undefined : driftedBody(body["data"], drift)
  if (inner !== undefined) return { ...body, data: inner }
  const own = drifted(body, drift)
  if (own !== undefined) return own
  const found = inFirst(Object.entries(body), drift)
  return found === undefined ? undefined : { ...body, [found[0]]: found[1] }
}

/** A JSON body with the drift applied; `undefined` if no place fits. */
export const driftedText = (body: string, drift: Drift): string | undefined => {
  let parsed: unknown
  try {
    parsed = JSON.parse(body)
  } catch {
    return undefined
  }
  const drifted = driftedBody(parsed, drift)
  return drifted === undefined ? undefined : JSON.stringify(drifted)
}
