/**
 * Removes API keys, device tokens and webhook URLs from strings and values that are shown or stored. Reports, journals
 * and logs of all packages use this one table of secret patterns.
 */

const mask = "<redacted>"

type Edit = (text: string) => string

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

const names = secretNames.map((name) => name.replaceAll("-", "[-_]?")).join("|")

const secretName = /* @__PURE__ */ new RegExp(`^(?:${names})$`, "i")

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
export const isSecretName = (name: string): boolean => secretName.test(name)

// The service controls the input. Each pattern must therefore start where no earlier attempt could have started, or
// consume everything it examines: otherwise each character of a long string would start a search of the rest.

// JSON inside JSON has backslashes before every quote: as many before those of the value as before those of its name.
const quoted = String.raw`\2"(?:\2\\(?:\2\\|\2")|(?!\2")[^])*(?:\2")?`
const jsonField = new RegExp(
  String.raw`((?<!\\)\\*"(?:${names})(\\*)"\s*:\s*)(?:${quoted}|\[\s*(?:${quoted}\s*,?\s*)*\]?|\{[^{}]*\}?)`,
  "gi"
)

// A list, as some languages write one into a message: `deviceTokens=['a', 'b']`.
const list = String.raw`\[[^\]]*\]?`

// The keys of webhooks of Google Chat are named `key`; forms write lists and fields as `credentials[deviceTokens][0]=`.
const parameter = new RegExp(
  String.raw`(?:(?<![\w-])|(?<=%5B))((?:${names}|key)(?:[[\]\d]|%5[BD])*(?:=|%(?:25)*3D))(?:${list}|[^\s&"'<>;,]+)`,
  "gi"
)

// A rule about a setting is not a secret: `apiKey: must not be empty`. Secrets have digits, or are long.
const header = new RegExp(
  String.raw`(?<![\w-])((?:${names})\s*:\s*)(?:${list}|(?=\S{16}|\S{0,15}\d)[^\s"',;<>]+)`,
  "gi"
)

/** Secrets that are recognized by their form, anywhere in a string. */
const patterns: ReadonlyArray<readonly [RegExp, string | ((found: string) => string)]> = [
  [jsonField, `$1$2"${mask}$2"`],
  [/\b(ApiKey|Bearer|Basic)(\s+|%20|\+)(?!<redacted>)[\w.~+/=-]{3,}/gi, `$1 ${mask}`],
  [/(?<=:\/\/)[^\s/@:"'<>]*:[^\s/@"'<>]+@/g, `${mask}@`],
  [/https?(?::\\*\/\\*\/|%(?:25)*3A%(?:25)*2F)[^\s"'<>]*/gi, (url) => (/hook/i.test(url) ? mask : url)],
  [/(?<![\w-])((?:set-)?cookie\s*:\s*)[^\s"<][^\r\n"<]*/gi, `$1${mask}`],
  [parameter, `$1${mask}`],
  [header, `$1${mask}`],
  [/Expo(?:nent)?PushToken\[[^\]\s]*\]?/g, mask],
  // Tokens of devices and of Telegram bots.
  [/(?<![\w-])[\w-]{6,}(?::|%(?:25)*3[Aa])(?:APA91|AA[\w-]{20})[\w-]+/g, mask],
  // Longer than the identifiers of records (24) and traces (32).
  [/\b[0-9a-f]{40,}\b/gi, mask]
]

const redactText = (text: string): string => {
  try {
    // Each overload of `replace` accepts one of the two kinds of replacement; the platform accepts both.
    return patterns.reduce((result, [pattern, replacement]) => result.replace(pattern, replacement as string), text)
  } catch {
    // A word of some million characters is too long for the platform's regular expressions.
    return mask
  }
}

// JSON, URLs and HTML leave other characters unchanged.
const special = /[^\w.~-]+/g

// Of HTML, also where JSON or a URL escapes the signs around it.
const entity = String.raw`(?:&|\\u0026|%(?:25)*26)(?:amp;)*(?:#|%(?:25)*23)?(\w+)(?:;|%(?:25)*3[Bb])`

const escape = String.raw`\\(?:u\w{4}|[bfnrt])|%(?:25)*\w\w|${entity}`

const literal = (text: string): string => text.replace(/\W/g, "\\$&")

/** The pattern of a secret in which JSON, URLs and HTML may encode the special characters, also one inside of the other. */
const encodedPattern = (secret: string): string =>
  // The rest would be too little to be searched.
  secret.replace(special, "").length < shortest
    ? literal(secret)
    : secret.replace(/([^\w.~-]+)|[.~-]/g, (run, isSpecial, at: number) => {
        if (!isSpecial) return literal(run)
        const isInside = at > 0 && at + run.length < secret.length
        // The service controls what is searched, so repetitions have a limit; JSON in JSON has three backslashes.
        return `(?:${escape}|${isInside ? "[^\\w.~-]" : literal(run)}){${isInside ? 1 : 0},${run.length * 4}}`
      })

/** Strings that are part of ordinary words: `test` is in `greatest`. */
const isWordLike = (secret: string): boolean => secret.length < 8 || /^[a-z _-]{1,15}$/i.test(secret)

/** Where a string stands alone: between characters other than letters and digits, or after an escape. */
const alone = (pattern: string): string => `(?:(?<![A-Za-z0-9])|(?<=${escape}))${pattern}(?![A-Za-z0-9])`

const patternOf = (secret: string, standsAlone: boolean): RegExp => {
  const pattern = encodedPattern(secret)
  return new RegExp(standsAlone ? alone(pattern) : pattern, "g")
}

const makeRemoval = (secrets: ReadonlyArray<string>, standsAlone = isWordLike): Edit => {
  const searched = secrets
    .filter((secret) => secret.length >= shortest)
    // The longest first: a secret can be the start of another one.
    .sort((a, b) => b.length - a.length)
  return (text) =>
    searched.reduce(
      (result, secret) =>
        // A call can have thousands of tokens, and to make a pattern takes longer than this.
        secret.split(special).every((part) => result.includes(part))
          ? result.replace(patternOf(secret, standsAlone(secret)), mask)
          : result,
      text
    )
}

const escapes = /* @__PURE__ */ new RegExp(
  String.raw`(?:(?<!\\)\\+(?=\\))?${entity}|(?:(?<!\\)\\+u00|%(?:25)*)([2-7][0-9a-f])`,
  "gi"
)

const codeOf = (name: string): number => (name === "lowbar" ? 95 : name === "period" ? 46 : Number(`0${name}`))

/**
 * A string without needless escapes, such as `\u006b`, `%6b` and `&#107;`: letters, digits and `-._~` mean the same in
 * either form.
 */
const unescaped = (text: string): string =>
  text.replace(escapes, (escape, html: string | undefined, hex: string) => {
    const character = String.fromCharCode(codeOf(html ?? `x${hex}`))
    return /[\w.~-]/.test(character) ? character : escape
  })

// Breaks with which mail and logs fold a line, also where JSON escapes them, and characters that no reader sees.
const folds = /(?:[\r\n\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]|(?<!\\)\\+[nr])\s*/g

const unfolded = (text: string): string => text.replace(folds, "")

/** Removes also what is found only in a plainer form. Where there is nothing, the string is unchanged. */
const through =
  (plainOf: Edit) =>
  (remove: Edit): Edit =>
  (text) => {
    // A secret may look escaped itself.
    const verbatim = remove(text)
    const plain = plainOf(verbatim)
    if (plain === verbatim) return verbatim
    const removed = remove(plain)
    return removed === plain ? verbatim : removed
  }

const throughEscapes = /* @__PURE__ */ through(unescaped)
const throughFolds = /* @__PURE__ */ through(unfolded)

/** Makes the function that removes these very secrets from strings, however they are encoded, and nothing else. */
export const makeSecretRemoval = (secrets: ReadonlyArray<string>): Edit =>
  throughFolds(throughEscapes(makeRemoval(secrets)))

/**
 * Removes these very secrets from a string, then what looks like a secret. With a length, the rest of the string is cut
 * off in between: half a secret would not be recognized, and to search 64 MB for patterns takes seconds.
 */
export const redactTextOf = (text: string, secrets: ReadonlyArray<string>, length?: number): string =>
  throughEscapes(redactText)(makeSecretRemoval(secrets)(text).slice(0, length))

const secretHeader = /auth|key|token|secret|pass|credential|cookie|session|sign/i

// In Base64, each character has six bits; the first ones also contain the bytes before the key.
const charactersBefore = [0, 2, 3]

/** How the Base64 of a string that contains the key may show it (in the alphabet of RFC 4648 and of URLs). */
export const base64FormsOf = (key: string): ReadonlyArray<string> =>
  charactersBefore.flatMap((start, bytesBefore) => {
    const form = btoa(" ".repeat(bytesBefore) + key).slice(start, Math.floor(((bytesBefore + key.length) * 8) / 6))
    return [form, form.replaceAll("+", "-").replaceAll("/", "_")]
  })

/** Whether a key can be told apart from the names, words and numbers of a response. Keys are visible ASCII. */
const isUnlikeData = (key: string): boolean =>
  key.length >= 8 && /^[\x21-\x7e]+$/.test(key) && !/^[a-z_-]{1,15}$|^[\d.e+-]*$/i.test(key)

/** Removes the API keys from whole responses and requests, also in Base64. */
const makeKeyRemoval = (keys: ReadonlyArray<string>): Edit => {
  const searched = keys.filter(isUnlikeData)
  const forms = [...searched, ...searched.flatMap(base64FormsOf)]
  // The Base64 of a key can consist of letters alone, and is still no word.
  const remove = throughFolds(throughEscapes(makeRemoval(forms, () => false)))
  // Every string of every frame is searched, and most contain neither a key nor an escape.
  const parts = forms.map((form) => form.split(special))
  return (text) =>
    text.search(escapes) >= 0 ||
    text.search(folds) >= 0 ||
    parts.some((some) => some.every((part) => text.includes(part)))
      ? remove(text)
      : text
}

/** The values of headers that can be secrets: all except short plain words under a name that does not suggest one. */
export const secretsInHeaders = (headers: Readonly<Record<string, string>>): ReadonlyArray<string> =>
  Object.entries(headers).flatMap(([name, value]) =>
    name !== "user-agent" && (secretHeader.test(name) || !/^[a-z _-]{1,15}$/i.test(value)) ? [value] : []
  )

/**
 * Matches every string with a secret of a known form. Most strings do not match, and the search takes time. The colons of
 * times are no sign of a secret. A long word is searched from its start only.
 */
const suspicious = /\D:|:\D|[=%[&\\]|(?:^|\s)\S{40}|ApiKey|Bearer|Basic/i

const redactString = (text: string): string => (suspicious.test(text) ? redactText(text) : text)

const redactPart = (value: unknown, seen: ReadonlyArray<object>, isSecret = false): unknown => {
  if (value === undefined || value === null) return value
  if (isSecret && !Array.isArray(value)) return mask
  if (typeof value !== "object") return typeof value === "string" ? redactString(value) : value
  if (seen.includes(value)) return "<circular>"
  if (seen.length >= deepest) return mask
  const inside = [...seen, value]
  if (Array.isArray(value)) return value.map((element: unknown) => redactPart(element, inside, isSecret))
  return Object.fromEntries(
    Object.entries(value).map(([key, part]: [string, unknown]) => [
      redactString(key),
      redactPart(part, inside, isSecretName(key))
    ])
  )
}

/**
 * A copy without secrets: the fields that contain credentials, and what looks like an API key, a device token or a
 * webhook URL in any string. Lists stay lists.
 *
 * **When to use**: before a value of this library, which is plain data, goes into a log or a report.
 *
 * @example
 * ```ts
 * import { redact } from "@signalbox/core/Redaction"
 *
 * redact({ providerId: "fcm", credentials: { deviceTokens: ["a-token"] } })
 * // => { providerId: "fcm", credentials: { deviceTokens: ["<redacted>"] } }
 * ```
 */
export const redact = (value: unknown): unknown => redactPart(value, [])

/** Removes the secrets of a process, or of a request, from what it shows and stores. */
export interface Redaction {
  /** Removes these very secrets and nothing else; JSON stays valid. */
  readonly exact: (text: string) => string
  /** Removes what looks like a secret, too. */
  readonly text: (text: string) => string
  /** The same for a body: its JSON value, or else the string. */
  readonly body: (text: string) => unknown
}

/**
 * Makes the redaction of the apps and the fake. API keys are removed also in Base64, alone or as part of a longer string;
 * keys that are words or numbers stay, since they could be values. Other secrets are removed also where they are words
 * that stand alone.
 *
 * @example
 * ```ts
 * import { makeRedaction } from "@signalbox/core/Redaction"
 *
 * makeRedaction(["key-4711-abc"]).text("Basic a2V5LTQ3MTEtYWJj") // => "Basic <redacted>"
 * ```
 */
export const makeRedaction = (keys: ReadonlyArray<string>, secrets: ReadonlyArray<string> = []): Redaction => {
  const removeKeys = makeKeyRemoval(keys)
  const removeSecrets = makeSecretRemoval(secrets)
  const exact = (text: string): string => (secrets.length === 0 ? removeKeys(text) : removeSecrets(removeKeys(text)))
  const text = (shown: string): string => (suspicious.test(shown) ? redactTextOf(exact(shown), []) : exact(shown))
  return {
    exact,
    text,
    body: (shown) => {
      try {
        return redact(JSON.parse(exact(shown)))
      } catch {
        return text(shown)
      }
    }
  }
}
