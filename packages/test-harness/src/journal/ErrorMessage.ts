/**
 * The error message in a response: why the request was rejected.
 */
import { redact } from "@signalbox/core/Redaction"
import { isJsonObject, parseJson } from "@signalbox/core/internal/reading/JsonObject"

/** Fields that can contain the message of an error body of any shape. */
const names: ReadonlySet<string> = new Set(["message", "messages", "detail"])

const deepest = 4

/** The maximum length of a message in characters. */
const most = 300

const textsIn = (value: unknown): ReadonlyArray<string> => {
  const values: ReadonlyArray<unknown> = Array.isArray(value) ? value : [value]
  return values.filter((text): text is string => typeof text === "string" && text !== "")
}

const wordsIn = (value: unknown, depth: number): ReadonlyArray<string> => {
  if (depth > deepest) return []
  if (Array.isArray(value)) return value.flatMap((part) => wordsIn(part, depth + 1))
  if (!isJsonObject(value)) return []
  return Object.entries(value).flatMap(([name, part]) =>
    (names.has(name) ? textsIn(part) : []).concat(wordsIn(part, depth + 1))
  )
}

/** The message of an error body, without secrets; `undefined` if the body has no message. */
export const errorMessageOf = (body: string): string | undefined => {
  const words = [...new Set(wordsIn(redact(parseJson(body)), 1))].join("; ")
  if (words === "") return undefined
  return words.length <= most ? words : `${words.slice(0, most - 1)}…`
}
