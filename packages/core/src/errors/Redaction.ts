/**
 * Removes API keys, device tokens and webhook URLs from strings and values that are shown or stored. Reports, journals
 * and logs of all packages use this one table of secret patterns.
 *
 * @since 0.1.0
 */

const mask = "<redacted>"

// A shorter secret is part of many words; masking it would hide the text and protect nothing.
const shortest = 4

// Deeper than any record of the API, and far from overflowing the stack.
const deepest = 100

/** The names of fields, parameters and headers that contain secrets. A dash stands for `-`, `_` or nothing. */
const secretNames = [
  "webhook-url",
  "direct-webhook-url",
  "device-token",
  "device-tokens",
  "token",
  "access-token",
  "refresh-token",
  "api-key",
  "x-api-key",
  "authorization",
  "proxy-authorization",
  "password",
  "secret",
  "client-secret",
  "credential",
  "cookie",
  "set-cookie",
  "sig"
]

const compact = (name: string): string => name.replaceAll(/[-_]/g, "").toLowerCase()

const compactNames: ReadonlySet<string> = /* @__PURE__ */ new Set(/* @__PURE__ */ secretNames.map(compact))

/**
 * Whether a field, parameter or header with this name contains a secret, in any spelling: `deviceTokens`,
 * `device_tokens`, `X-Api-Key`.
 *
 * @example
 * ```ts
 * import { isSecretName } from "@signalbox/core/Redaction"
 *
 * isSecretName("X-Api-Key") // => true
 * isSecretName("x-request-id") // => false
 * ```
 */
export const isSecretName = (name: string): boolean => compactNames.has(compact(name))

// The service controls the input. Each pattern must therefore start where no earlier attempt could have started, or
// consume everything it examines: otherwise each character of a long string would start a search of the rest.

const names = secretNames.map((name) => name.replaceAll("-", "[-_]?")).join("|")

// A string can contain JSON inside JSON: then every quote is preceded by backslashes.
const quote = String.raw`\\*"`
const quoted = String.raw`(?:"(?:[^"\\]|\\.)*"?|\\+"(?:[^"\\]|\\+[^"\\])*(?:\\+")?)`
const jsonField = new RegExp(
  String.raw`((?<!\\)${quote}(?:${names})${quote}\s*:\s*)` +
    String.raw`(?:${quoted}|\[\s*(?:${quoted}\s*,?\s*)*\]?|\{[^{}]*\}?)`,
  "gi"
)

// A list, as some languages write one into a message: `deviceTokens=['a', 'b']`.
const list = String.raw`\[[^\]]*\]?`

// The keys of webhooks of Google Chat are named `key`.
const parameter = new RegExp(String.raw`(?<![\w-])((?:${names}|key)(?:=|%3D))(?:${list}|[^\s&"'<>;,]+)`, "gi")

// A rule about a setting is not a secret: `apiKey: must not be empty`. Secrets have digits, or are long.
const header = new RegExp(
  String.raw`(?<![\w-])((?:${names})\s*:\s*)(?:${list}|(?=\S{16}|\S{0,15}\d)[^\s"',;<>]+)`,
  "gi"
)

/** Secrets that are recognized by their form, anywhere in a string. */
const patterns: ReadonlyArray<readonly [RegExp, string | ((found: string) => string)]> = [
  [jsonField, `$1"${mask}"`],
  [/\b(ApiKey|Bearer|Basic)(\s+|%20|\+)(?!<redacted>)[\w.~+/=-]{3,}/gi, `$1 ${mask}`],
  [/(?<=:\/\/)[^\s/@:"'<>]*:[^\s/@"'<>]+@/g, `${mask}@`],
  [/https?(?::\\*\/\\*\/|%3A%2F%2F)[^\s"'<>]*/gi, (url) => (/hook/i.test(url) ? mask : url)],
  [/(?<![\w-])((?:set-)?cookie\s*:\s*)[^\r\n"<]+/gi, `$1${mask}`],
  [parameter, `$1${mask}`],
  [header, `$1${mask}`],
  [/Expo(?:nent)?PushToken\[[^\]\s]*\]?/g, mask],
  [/(?<![\w-])[\w-]{10,}:APA91[\w-]+/g, mask],
  // Longer than the identifiers of records (24) and traces (32).
  [/\b[0-9a-f]{40,}\b/gi, mask]
]

const redactText = (text: string): string => {
  let result = text
  for (const [pattern, replacement] of patterns) {
    // Each overload of `replace` accepts one of the two kinds of replacement; the platform accepts both.
    result = result.replace(pattern, replacement as string)
  }
  return result
}

// Most keys and tokens consist of these, which JSON and URLs leave unchanged.
const unchanged = /^[\w.~-]+$/

/** The forms of a secret in a string: plain, inside of JSON, inside of a URL. */
const formsOf = (secret: string): ReadonlyArray<string> => {
  if (unchanged.test(secret)) return [secret]
  const json = JSON.stringify(secret).slice(1, -1)
  const forms = new Set([secret, json, json.replaceAll("/", "\\/")])
  // A lone surrogate has no form in a URL.
  if (!/\p{Surrogate}/u.test(secret)) {
    const encoded = encodeURIComponent(secret)
    forms.add(encoded).add(encoded.replace(/%../g, (code) => code.toLowerCase()))
  }
  return [...forms]
}

/** Strings that are part of ordinary words: `test` is in `greatest`. */
const isWordLike = (secret: string): boolean => secret.length < 8 || /^[a-z _-]{1,15}$/i.test(secret)

/** Where a string stands alone: between characters other than letters and digits, or after an escape. */
const alone = (form: string): RegExp =>
  new RegExp(
    String.raw`(?:(?<![A-Za-z0-9])|(?<=\\[bfnrt]|\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2}))` +
      form.replaceAll(/[.*+?^${}()|[\]\\/-]/g, String.raw`\$&`) +
      "(?![A-Za-z0-9])",
    "g"
  )

/** Makes the function that removes these very secrets from strings, and nothing else. */
export const makeSecretRemoval = (secrets: ReadonlyArray<string>): ((text: string) => string) => {
  const forms = secrets
    .filter((secret) => secret.length >= shortest)
    .flatMap((secret) => formsOf(secret).map((form) => ({ form, secret })))
    // The longest first: a secret can be the start of another one.
    .sort((a, b) => b.form.length - a.form.length)
  return (text) => {
    let result = text
    for (const { form, secret } of forms) {
      if (!result.includes(form)) continue
      result = isWordLike(secret) ? result.replace(alone(form), mask) : result.replaceAll(form, mask)
    }
    return result
  }
}

const escapedAscii = /\\u00([2-7][0-9a-f])/gi

/** A string without needless escapes: some services write `\u002b` for a plus sign, and may do so for every character. */
const unescaped = (text: string): string =>
  text.replace(escapedAscii, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))

/**
 * Removes these very secrets from a string, then what looks like a secret.
 */
export const redactTextOf = (text: string, secrets: ReadonlyArray<string>): string =>
  redactText(makeSecretRemoval(secrets)(unescaped(text)))

const secretHeader = /auth|key|token|secret|pass|credential|cookie|session|sign/i

/** The values of headers that can be secrets: all except short plain words under a name that does not suggest one. */
export const secretsInHeaders = (headers: Readonly<Record<string, string>>): ReadonlyArray<string> =>
  Object.entries(headers).flatMap(([name, value]) =>
    secretHeader.test(name) || !/^[a-z _-]{1,15}$/i.test(value) ? [value] : []
  )

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
      part !== undefined && part !== null && isSecretName(key) ? mask : redactPart(part, inside)
    ])
  )
}

/**
 * A copy without secrets: the fields that contain credentials, and what looks like an API key, a device token or a
 * webhook URL in any string.
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
