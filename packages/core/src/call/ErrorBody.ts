import type { FieldIssue } from "../errors/Reason.ts"
import { redactTextOf } from "../errors/Redaction.ts"
import { defined } from "../errors/Defined.ts"
import { isJsonObject, type JsonObject, parseJson } from "../reading/JsonObject.ts"

/** The parts of a failure's body that have a known shape, without secrets. */
export interface ErrorBody {
  readonly detail?: string
  readonly fields?: ReadonlyArray<FieldIssue>
  readonly body?: string
}

/** A string on one line of at most `limit` characters. */
export const shortened = (text: string, limit: number): string => {
  const line = text.replace(/\s+/g, " ").trim()
  if (line.length <= limit) return line
  // After a whole word, unless the last one is most of the line.
  const end = line.lastIndexOf(" ", limit - 1)
  return `${line.slice(0, end > limit / 2 ? end : limit - 1)}…`
}

const short = (text: string): string => shortened(text, detailLimit)

const cut = (text: string, limit: number): string => (text.length > limit ? `${text.slice(0, limit)}…` : text)

const bodyLimit = 2048
const detailLimit = 300
const fieldLimit = 50

/** A string without secrets, long enough for all that is shown of it: the service can send megabytes. */
const safeTextOf = (text: string, secrets: ReadonlyArray<string>): string => redactTextOf(text, secrets, 1 << 18)

/** A path in a body, or a value at one, without secrets. */
export const safePathOf = (path: string, secrets: ReadonlyArray<string>): string =>
  cut(safeTextOf(path, secrets), detailLimit)

const textOf = (value: unknown): string | undefined => {
  if (typeof value === "string") return value.trim() === "" ? undefined : value
  if (Array.isArray(value)) {
    const parts = value.filter((part): part is string => typeof part === "string" && part.trim() !== "")
    return parts.length === 0 ? undefined : parts.join("; ")
  }
  return undefined
}

/** The string at the first key that has one. */
const firstText = (record: JsonObject, keys: ReadonlyArray<string>): string | undefined => {
  for (const key of keys) {
    const text = textOf(record[key])
    if (text !== undefined) return text
  }
  return undefined
}

/**
 * The issues by field. Known shapes: `errors` as a record of `{ messages, value }` by field (`general` stands for
 * the whole), as a record of strings by field, as an array of `{ path | field | pointer | name, message | detail | reason }`,
 * and the `invalid-params` of a problem document.
 */
const issuesOf = (record: JsonObject): ReadonlyArray<FieldIssue> => {
  const errors = record["errors"] ?? record["invalid-params"]
  if (Array.isArray(errors)) {
    return errors.flatMap((error: unknown) => {
      if (typeof error === "string") return [{ path: "", rule: error }]
      if (!isJsonObject(error)) return []
      const rule = firstText(error, ["message", "messages", "detail", "reason", "title"])
      const path = firstText(error, ["path", "field", "property", "pointer", "name"]) ?? ""
      return rule === undefined ? [] : [{ path, rule }]
    })
  }
  if (!isJsonObject(errors)) return []
  return Object.entries(errors).flatMap(([key, error]) => {
    const rule = isJsonObject(error) ? firstText(error, ["messages", "message"]) : textOf(error)
    return rule === undefined ? [] : [{ path: key === "general" ? "" : key, rule }]
  })
}

const detailOf = (record: JsonObject): string | undefined =>
  firstText(record, ["message", "detail", "title", "error", "error_description", "description"])

/** Whether a body is an HTML page. */
export const looksLikeHtml = /^\s*(?:<!doctype|<html|<head|<body)/i
const titleOfHtml = /<title[^<>]*>([^<]*)/i

/** An issue of one field, in one line. */
export const issueLine = ({ path, rule }: FieldIssue): string => (path === "" ? rule : `${path}: ${rule}`)

/**
 * Reads the body of a failure by its content, not by its content type, which is wrong for error pages of gateways.
 */
export const readErrorBody = (text: string, secrets: ReadonlyArray<string>): ErrorBody => {
  if (text.trim() === "") return {}
  const safe = safeTextOf(text, secrets)
  const body = cut(safe, bodyLimit)
  if (looksLikeHtml.test(safe)) {
    const title = titleOfHtml.exec(safe)?.[1]?.trim()
    return { detail: title ? `HTML page: ${short(title)}` : "HTML page", body }
  }
  const shown = (message: string | undefined) => message && short(safeTextOf(message, secrets))
  const value = parseJson(text)
  if (!isJsonObject(value)) return defined({ detail: shown(textOf(value)), body })
  // A gateway in front of the service may wrap a failure in the envelope of a success.
  const { data, error } = value
  const inner =
    [error, value, isJsonObject(data) ? data["error"] : data, data]
      .filter(isJsonObject)
      .find((part) => detailOf(part) ?? issuesOf(part)[0]) ?? {}
  const detail = detailOf(inner)
  const fields = issuesOf(inner)
    .slice(0, fieldLimit)
    .map(({ path, rule }) => ({ path: safePathOf(path, secrets), rule: short(safeTextOf(rule, secrets)) }))
  return defined({ detail: shown(detail), fields: fields.length === 0 ? undefined : fields, body })
}
