/**
 * The tables `[[rules]]` of the configuration file: causes that a team adds.
 */
import * as Result from "effect/Result"
import type { OwnRule } from "../diagnosis/OwnRule.ts"
import { type Owner, ownerNames } from "../diagnosis/Owner.ts"
import { type ConfigIssue, invalid, isTable, oneOf, readTable, type Setting } from "./ConfigTable.ts"

/** The longest string of a rule. */
const longest = 300

const phrase: Setting<string> = (value) =>
  typeof value === "string" && value.trim() !== "" && value.length <= longest
    ? Result.succeed(value)
    : invalid(`must be a string of 1 to ${longest} characters in quotes`)

const settings = {
  match: (value: unknown) =>
    Result.flatMap(phrase(value), (match) =>
      /[^\s*]/u.test(match)
        ? Result.succeed(match)
        : invalid("must have characters besides *: it would match every failure")
    ),
  title: phrase,
  advice: phrase,
  // Its keys are the owners.
  owner: oneOf(Object.keys(ownerNames) as ReadonlyArray<Owner>)
}

const absent = { match: "", title: "", advice: "" }

/** Reads one rule. */
export const readRule = (value: unknown): Result.Result<OwnRule, ConfigIssue> =>
  Result.map(readTable(isTable(value) ? { ...absent, ...value } : value, settings), (rule) => ({
    ...absent,
    owner: "unknown",
    ...rule
  }))
