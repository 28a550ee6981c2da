/**
 * The request that a call stands for, compared with one that the service received: method, path, query and body. The API
 * document leaves the encoding of several values in a query open, so any is accepted.
 */
import { operations, type Parameter, positions } from "@signalbox/core/Operations"
import { makeSecretRemoval } from "@signalbox/core/Redaction"
import { requestToWire } from "@signalbox/core/Vendor"
import type { JournalEntry } from "../journal/JournalEntry.ts"
import { sentBy } from "../journal/OpenEntry.ts"
import { differencesIn } from "../verdicts/Difference.ts"
import { type AnyCall, requestOf, secretsOf } from "./CheckedCall.ts"

const decoded = (path: string): ReadonlyArray<string> =>
  path.split("/").map((segment) => {
    try {
      return decodeURIComponent(segment)
    } catch {
      return segment
    }
  })

const isSeveral = (parameter: Parameter | undefined): boolean =>
  parameter?.kind === "strings" || parameter?.kind === "one-or-several"

/** The conditions of a query, without those that say what the service does by default. */
const conditionsIn = (query: string, fields: Readonly<Record<string, Parameter>>): ReadonlySet<string> => {
  const conditions = [...new URLSearchParams(query)].flatMap(([key, value]) => {
    const name = key.replace(/\[\d*\]$/u, "")
    const parameter = fields[name]
    if (parameter?.kind === "integer" && String(parameter.default) === value) return []
    if (parameter?.kind === "string" && parameter.isTime === true && !Number.isNaN(Date.parse(value)))
      return [`${name}=${new Date(value).toISOString()}`]
    return (isSeveral(parameter) ? value.split(",") : [value]).map((one) => `${name}=${one}`)
  })
  return new Set(conditions)
}

const wrongQuery = (expected: ReadonlySet<string>, sent: ReadonlySet<string>): string | undefined => {
  const missing = [...expected].filter((condition) => !sent.has(condition))
  const extra = [...sent].filter((condition) => !expected.has(condition))
  const parts = [
    ...(missing.length === 0 ? [] : [`lacks ${missing.join(", ")}`]),
    ...(extra.length === 0 ? [] : [`has ${extra.join(", ")}, which was not asked for`])
  ]
  return parts.length === 0 ? undefined : `its query ${parts.join(" and ")}`
}

/** The facts of a run that decide what a request may look like. */
export interface RequestRun {
  /** The vendor in wire identifiers. */
  readonly vendor: string
  /** Whether calls of one subscriber and provider started at the same time: any of them can have sent a request. */
  readonly isConcurrent: boolean
}

const withoutTokens = (body: unknown): unknown =>
  JSON.parse(JSON.stringify(body, (name, value: unknown) => (name === "deviceTokens" ? undefined : value)))

const wrongBody = (call: AnyCall, expected: string, entry: JournalEntry, run: RequestRun): string | undefined => {
  const { body } = sentBy(entry)
  if (body._tag === "Omitted") return undefined
  const plain: unknown = JSON.parse(expected)
  const wanted = call.operation === "declared" ? plain : requestToWire(positions[call.operation], run.vendor, plain)
  // One request may have the device tokens of several calls.
  const comparable = (value: unknown) => (run.isConcurrent ? withoutTokens(value) : value)
  const [difference] = differencesIn("body", comparable(wanted), comparable(body.value), "all")
  return difference === undefined ? undefined : makeSecretRemoval(secretsOf(call))(`its ${difference}`)
}

/** How a request differs from the one that a call stands for; `undefined` if it does not. */
export const wrongRequest = (call: AnyCall, sent: JournalEntry, run: RequestRun): string | undefined => {
  const { body, method, target } = requestOf(call)
  const [path = "", query = ""] = target.split("?")
  if (sent.method !== method) return `its method is ${sent.method}, not ${method}`
  if (decoded(sent.path).join("\n") !== decoded(path).join("\n")) return `its path is ${sent.path}, not ${path}`
  const fields = call.operation === "declared" ? {} : operations[call.operation].parameters.query
  const wrong = wrongQuery(conditionsIn(query, fields), conditionsIn(sent.query, fields))
  if (wrong !== undefined || body === undefined) return wrong
  return wrongBody(call, body, sent, run)
}
