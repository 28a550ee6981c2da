const secretName = /auth|key|token|secret|pass|credential|cookie|session|sign/i

/** What a secret is not: words that stand in every other text, and removing them would make it unreadable. */
const plainWords = /^[a-z _-]{1,15}$/i

/** The values of headers that can be secrets: all but short plain words under a name that promises none. */
export const secretsInHeaders = (headers: Readonly<Record<string, string>>): ReadonlyArray<string> =>
  Object.entries(headers).flatMap(([name, value]) => (secretName.test(name) || !plainWords.test(value) ? [value] : []))
