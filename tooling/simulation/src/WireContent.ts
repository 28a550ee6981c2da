/**
 * Compares values with the JSON that the service sent.
 */
import type { CallInfo } from "@signalbox/core/CallInfo"
import type { OperationName } from "@signalbox/core/Operation"

/** A response, and what the client reported about it. */
export interface ReadResponse extends Pick<CallInfo, "drift" | "unreadable"> {
  readonly text: string
  readonly vendor: string
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null

const isSameString = (value: string, sent: string, vendor: string): boolean =>
  value === sent || value === sent.replace(new RegExp(`^${vendor}(?=-|$)`, "u"), "service")

const join = (path: string, key: string, isIndex: boolean): string =>
  isIndex ? `${path}[${key}]` : path === "" ? key : `${path}.${key}`

/**
 * Whether a value has exactly what the service sent. Only identifiers of the vendor may differ, and only the unknown
 * fields that the client reported may be absent. A response with unreadable parts is not compared.
 */
export const isSameContent = (
  value: unknown,
  { drift, text, unreadable, vendor }: ReadResponse,
  operation: OperationName
): boolean => {
  if (unreadable.length > 0) return true
  const removed = new Set(drift.flatMap(({ kind, path }) => (kind === "unknown-field" ? [path] : [])))

  const isSame = (found: unknown, sent: unknown, path: string): boolean => {
    if (typeof found === "string" && typeof sent === "string") return isSameString(found, sent, vendor)
    if (!isObject(found) || !isObject(sent)) return Object.is(found, sent)
    const isArray = Array.isArray(sent)
    const expected = Object.keys(sent).filter((key) => !removed.has(join(path, key, isArray)))
    return (
      Array.isArray(found) === isArray &&
      Object.keys(found).length === expected.length &&
      expected.every((key) => Object.hasOwn(found, key) && isSame(found[key], sent[key], join(path, key, isArray)))
    )
  }

  const body: unknown = JSON.parse(text)
  const isEnvelope = operation !== "events.list" && isObject(body) && Object.keys(body).length === 1 && "data" in body
  return isEnvelope ? isSame(value, body["data"], "") : isSame(value, body, "")
}
