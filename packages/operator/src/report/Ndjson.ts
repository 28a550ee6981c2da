import { redact } from "@signalbox/core/Redaction"

/**
 * Records as newline-delimited JSON, one a line, without secrets: for a file, `jq`, or a bug report.
 *
 * @example
 * ```ts
 * ndjson([{ credentials: { deviceTokens: ["a-token"] } }])
 * // => '{"credentials":{"deviceTokens":["<redacted>"]}}\n'
 * ```
 */
export const ndjson = (records: ReadonlyArray<unknown>): string =>
  records.map((record) => `${JSON.stringify(redact(record))}\n`).join("")
