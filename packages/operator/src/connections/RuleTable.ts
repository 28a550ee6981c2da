/**
 * The tables `[[rules]]` of the configuration file: causes that a team adds.
 */
import * as Result from "effect/Result"
import type { OwnRule } from "../diagnosis/OwnRule.ts"
import { type Owner, ownerNames } from "../diagnosis/Owner.ts"
import { expectedOneOf } from "@signalbox/core/Nearest"
import { safe } from "../text/Safe.ts"
import type { ConfigIssue } from "./NamedConnection.ts"

const settings = ["match", "title", "advice", "owner"]

/** The longest string of a rule. */
const longest = 300

const owners: ReadonlyArray<string> = Object.keys(ownerNames)

const isOwner = (name: string): name is Owner => Object.hasOwn(ownerNames, name)

const invalid = (key: string, problem: string): Result.Result<never, ConfigIssue> => Result.fail({ key, problem })

/** Reads one rule. */
export const readRule = (value: unknown): Result.Result<OwnRule, ConfigIssue> => {
  if (typeof value !== "object" || value === null) return invalid("", "must be a table; write [[rules]]")
  const table = Object.entries(value)
  const unknown = table.find(([key]) => !settings.includes(key))
  if (unknown !== undefined) {
    return invalid(safe(unknown[0]), `unknown key; ${expectedOneOf(unknown[0], settings)}`)
  }
  const found = new Map<string, string>()
  for (const key of settings) {
    const text: unknown = table.find(([name]) => name === key)?.[1]
    if (text === undefined && key === "owner") continue
    if (typeof text !== "string" || text.trim() === "" || text.length > longest) {
      return invalid(key, `must be a string of 1 to ${longest} characters in quotes`)
    }
    found.set(key, text)
  }
  const [match = "", title = "", advice = "", owner = "unknown"] = settings.map((key) => found.get(key))
  if (!/[^\s*]/u.test(match)) return invalid("match", "must have characters besides *: it would match every failure")
  if (!isOwner(owner)) return invalid("owner", `is "${safe(owner)}"; ${expectedOneOf(owner, owners)}`)
  return Result.succeed({ match, title, advice, owner })
}
