import { parseForm } from "../operations/NestedQuery.ts"
import { internalError, type Rejection } from "../operations/OperationResponse.ts"
import type { Switches } from "../switches/Switches.ts"
import type { FakeRequest } from "../wire/FakeRequest.ts"
import { isNestedTooDeep, nestingRule } from "../wire/Nesting.ts"

export interface ReadBody {
  readonly _tag: "Body"
  /** `undefined` if the request has no body, or if it is ignored. */
  readonly value: unknown
  /** Whether the service fails when it works with the value. */
  readonly fails?: boolean
}

const limits: Readonly<Record<Switches["request.bodyLimit"], number>> = {
  "1MB": 1_000_000,
  "100kB": 102_400,
  none: Infinity
}

/** The maximum size of a body in bytes. */
export const bodyLimit = (switches: Switches): number => limits[switches["request.bodyLimit"]]

const isTooLarge = (body: string, limit: number): boolean =>
  // A character has at most three bytes in UTF-8, so only strings near the limit are counted.
  body.length * 3 > limit && new TextEncoder().encode(body).length > limit

const tooLarge = (message: string): Rejection => ({ status: 413, message, observedMessage: "Payload Too Large" })

/** No body, or one that is ignored. */
export const noBody: ReadBody = { _tag: "Body", value: undefined }

type Kind = "json" | "form" | "other"

const kindOf = (switches: Switches, contentType: string): Kind => {
  if (contentType === "application/json") return "json"
  const type = contentType.split(";", 1)[0]?.trim().toLowerCase() ?? ""
  if (type === "application/json") return "json"
  if (switches["request.contentType"] !== "json-or-form") {
    return /^application\/[\w.-]+\+json$/u.test(type) ? "json" : "other"
  }
  return type === "application/x-www-form-urlencoded" ? "form" : "other"
}

/** A body in the charset of its content type; `undefined` if the service cannot decode it. */
const decodedBody = (switches: Switches, request: FakeRequest, contentType: string): string | undefined => {
  const { body } = request
  if (switches["request.encoding"] === "ignored") return body
  const encoding = request.header("content-encoding") ?? ""
  if (encoding !== "" && encoding !== "identity") return undefined
  const charset = /;\s*charset="?([^\s";]+)/iu.exec(contentType)?.[1]?.toLowerCase() ?? "utf-8"
  if (!charset.startsWith("utf-")) return undefined
  if (!charset.startsWith("utf-16")) return body
  return new TextDecoder(charset).decode(new TextEncoder().encode(body))
}

const parse = (text: string): { readonly value: unknown } | { readonly error: string } => {
  try {
    return { value: JSON.parse(text) as unknown }
  } catch (error) {
    return { error: (error instanceof Error ? error.message : "").replace(/ \(line \d+ column \d+\)$/u, "") }
  }
}

/** How a parser of objects and arrays reports any other value: its first character is unexpected. */
const scalarError = (text: string): string | undefined => {
  const start = text.search(/[^ \t\n\r]/u)
  const first = text[start]
  if (first === undefined || first === "{" || first === "[") return undefined
  // The engine's own message, about a character that starts no JSON.
  const read = parse(text.slice(0, start) + "#".repeat(text.length - start))
  return "error" in read ? read.error.replaceAll(/#+/gu, (marks) => text.slice(start, start + marks.length)) : undefined
}

const readJson = (switches: Switches, text: string): ReadBody | Rejection => {
  const isStrict = switches["request.json"] === "objects-only"
  if (isStrict && text === "") return { _tag: "Body", value: {} }
  const json = isStrict && text.startsWith("\uFEFF") ? text.slice(1) : text
  const status = Number(switches["request.badJson"])
  const scalar = isStrict ? scalarError(json) : undefined
  const read = scalar === undefined ? parse(json) : { error: scalar }
  if ("error" in read) return { status, message: "The body is not valid JSON", observedMessage: read.error }
  if (!isNestedTooDeep(json)) return { _tag: "Body", value: read.value }
  return switches["request.nesting"] === "500"
    ? { _tag: "Body", value: undefined, fails: true }
    : { status, message: `The body must be ${nestingRule}` }
}

const maxFormParameters = 1_000

const readForm = (text: string): ReadBody | Rejection =>
  text.split("&").length > maxFormParameters
    ? tooLarge(`a form has at most ${maxFormParameters} parameters`)
    : { _tag: "Body", value: parseForm(text) }

/** Reads the body of a write; a rejection describes what is wrong with it. */
export const readBody = (switches: Switches, request: FakeRequest): ReadBody | Rejection => {
  const contentType = request.header("content-type") ?? ""
  const kind = kindOf(switches, contentType)
  const onOther = switches["request.contentType"]
  const isIgnored = kind === "other" && (onOther === "body-ignored" || onOther === "json-or-form")
  if (isIgnored && onOther === "json-or-form") return noBody
  if (isTooLarge(request.body, bodyLimit(switches))) {
    return tooLarge(`request entity too large: at most ${switches["request.bodyLimit"]}`)
  }
  if (isIgnored) return noBody
  if (kind === "other" && onOther !== "accepted") {
    const given = contentType === "" ? "none" : contentType
    return { status: Number(onOther), message: `the content type must be application/json, not ${given}` }
  }
  const text = decodedBody(switches, request, contentType)
  if (text === undefined) return internalError
  return kind === "form" ? readForm(text) : readJson(switches, text)
}

/** Reads the body of a request before its key, if the service does so; `undefined` if it is not read yet. */
export const readBodyFirst = (switches: Switches, request: FakeRequest): ReadBody | Rejection | undefined =>
  request.body === "" || switches["request.order"] === "key-first" ? undefined : readBody(switches, request)
