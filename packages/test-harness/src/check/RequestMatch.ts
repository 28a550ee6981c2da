/**
 * The request that a call stands for, compared with one that the service received: method, path, query and body. The API
 * document leaves the encoding of several values in a query open, so any is accepted.
 */
import { type Parameter, parameters } from "@signalbox/core/Parameters"
import type { JournalEntry } from "../journal/JournalEntry.ts"
import { type AnyCall, requestOf } from "./CheckedCall.ts"
import { differenceIn } from "./Difference.ts"

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

/** How a request differs from the one that a call stands for; `undefined` if it does not. */
export const wrongRequest = (call: AnyCall, sent: JournalEntry): string | undefined => {
  const { body, method, target } = requestOf(call)
  const [path = "", query = ""] = target.split("?")
  if (sent.method !== method) return `its method is ${sent.method}, not ${method}`
  if (decoded(sent.path).join("\n") !== decoded(path).join("\n")) return `its path is ${sent.path}, not ${path}`
  const fields = call.operation === "declared" ? {} : parameters[call.operation].query
  const wrong = wrongQuery(conditionsIn(query, fields), conditionsIn(sent.query, fields))
  if (wrong !== undefined) return wrong
  const difference = body === undefined ? undefined : differenceIn(sent.body, JSON.parse(body), "body")
  return difference === undefined ? undefined : `its ${difference}`
}
