/**
 * The headers that a fault can send: those that look the same with and without a socket.
 */
import * as Schema from "effect/Schema"

const name = /^[\w!#$%&'*+.^`|~-]+$/u

// A control character could start another header. Leading and trailing blanks are trimmed by readers.
const value = /^(?:[!-~\u0080-\u00ff](?:[\t -~\u0080-\u00ff]*[!-~\u0080-\u00ff])?)?$/u

/** Headers that describe the transfer: with other values a client would read a different body, or wait for one. */
const ofTheWire: ReadonlySet<string> = new Set([
  "content-encoding",
  "content-length",
  "trailer",
  "transfer-encoding",
  "upgrade"
])

const issueWith = (given: string): string | undefined => {
  if (!name.test(given)) return "is not a valid header name"
  return ofTheWire.has(given.toLowerCase()) ? "cannot be set: the fake sends it" : undefined
}

/** The value of a header. @internal */
export const HeaderValue = Schema.String.check(
  Schema.isPattern(value, { expected: "printable Latin-1 characters, without blanks at the ends" })
)

/** Headers by name. @internal */
export const FaultHeaders = Schema.Record(Schema.String, HeaderValue).check(
  Schema.makeFilter((headers: Readonly<Record<string, string>>) => {
    for (const given of Object.keys(headers)) {
      const issue = issueWith(given)
      if (issue !== undefined) return { path: [given], issue }
    }
    return undefined
  })
)
