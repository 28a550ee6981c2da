/**
 * Removes secrets from what is shown or stored: API keys, device tokens and webhook URLs.
 *
 * @since 0.1.0
 */

const mask = "<redacted>"

// A shorter text is in every other word; masking it would hide everything and protect nothing.
const shortest = 4

// Deeper than any record of the API, and far from what a stack can hold.
const deepest = 100

const secretFields =
  /^(?:webhookUrl|directWebhookUrl|deviceTokens?|token|apiKey|api[-_]key|authorization|password|secret|credential)$/i

// A service decides what is searched. So each pattern begins where no earlier try of it could have begun, or takes in
// all that it looks through: otherwise every character of a long text would start a search of the rest of it.

// In a text, JSON can stand inside of JSON: then every quote has backslashes before it.
const quote = String.raw`\\*"`
const quoted = String.raw`(?:"(?:[^"\\]|\\.)*"?|\\+"(?:[^"\\]|\\+[^"\\])*(?:\\+")?)`
const secretNames = "webhookUrl|directWebhookUrl|deviceTokens?|token|apiKey|authorization|password|secret"
const secretField = new RegExp(
  String.raw`((?<!\\)${quote}(?:${secretNames})${quote}\s*:\s*)` +
    String.raw`(?:${quoted}|\[\s*(?:${quoted}\s*,?\s*)*\]?|\{[^{}]*\}?)`,
  "gi"
)

/** Secrets that show by their form, wherever they stand in a text. */
const patterns: ReadonlyArray<readonly [RegExp, string | ((found: string) => string)]> = [
  [secretField, `$1"${mask}"`],
  [/\b(ApiKey|Bearer|Basic)(\s+|%20|\+)(?!<redacted>)[\w.~+/=-]{3,}/gi, `$1 ${mask}`],
  [/https?:\\*\/\\*\/[^\s"'<>]*/gi, (url) => (/hook/i.test(url) ? mask : url)],
  [/Expo(?:nent)?PushToken\[[^\]\s]*\]?/g, mask],
  [/(?<![\w-])[\w-]{10,}:APA91[\w-]+/g, mask],
  [/\b[0-9a-f]{64}\b/gi, mask]
]

const redactText = (text: string): string => {
  let result = text
  for (const [pattern, replacement] of patterns) {
    // Each overload of `replace` takes one of the two kinds of replacement; the platform takes both.
    result = result.replace(pattern, replacement as string)
  }
  return result
}

/** The forms in which a secret can stand in a text: plain, inside of JSON, inside of a URL. */
const formsOf = (secret: string): ReadonlyArray<string> => {
  const json = JSON.stringify(secret).slice(1, -1)
  const forms = new Set([secret, json, json.replaceAll("/", "\\/")])
  // A lone surrogate has no form in a URL.
  if (!/\p{Surrogate}/u.test(secret)) forms.add(encodeURIComponent(secret))
  return [...forms]
}

const escapedAscii = /\\u00([2-7][0-9a-f])/gi

/** A text without needless escapes: some services write `\u002b` for a plus sign, and may so for every character. */
const unescaped = (text: string): string =>
  text.replace(escapedAscii, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))

/**
 * Removes these very secrets from a text, then what looks like a secret.
 */
export const redactTextOf = (text: string, secrets: ReadonlyArray<string>): string => {
  const forms = secrets.filter((secret) => secret.length >= shortest).flatMap(formsOf)
  let result = unescaped(text)
  // The longest first: a secret can be the beginning of another one.
  for (const form of forms.sort((a, b) => b.length - a.length)) result = result.replaceAll(form, mask)
  return redactText(result)
}

const redactPart = (value: unknown, seen: ReadonlyArray<object>): unknown => {
  if (typeof value === "string") return redactText(value)
  if (typeof value !== "object" || value === null) return value
  if (seen.includes(value)) return "<circular>"
  if (seen.length >= deepest) return mask
  const inside = [...seen, value]
  if (Array.isArray(value)) return value.map((element: unknown) => redactPart(element, inside))
  return Object.fromEntries(
    Object.entries(value).map(([key, part]: [string, unknown]) => [
      key,
      secretFields.test(key) && part !== undefined && part !== null ? mask : redactPart(part, inside)
    ])
  )
}

/**
 * A copy without secrets: the fields that hold credentials by the API document, and what looks like an API key, a
 * device token or a webhook URL in any text.
 *
 * **When to use**: before a value of this library, which is plain data, goes into a log or a report.
 *
 * @example
 * ```ts
 * import { redact } from "@signalbox/core/Redaction"
 *
 * redact({ providerId: "fcm", credentials: { deviceTokens: ["a-token"] } })
 * // => { providerId: "fcm", credentials: { deviceTokens: "<redacted>" } }
 * ```
 */
export const redact = (value: unknown): unknown => redactPart(value, [])
