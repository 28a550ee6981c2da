import { number, type PolicyRule, rule } from "@signalbox/core/internal/policies/PolicyRules"
import type { BulkOptions } from "../ClientOptions.ts"
import { sharedRules } from "./OptionRules.ts"
import { check, only } from "./Rules.ts"

const concurrencyLimit = 100

const rules: Readonly<Record<keyof BulkOptions, PolicyRule>> = {
  ...sharedRules,
  concurrency: number(
    (value) => Number.isInteger(value) && value >= 1 && value <= concurrencyLimit,
    `a whole number from 1 to ${concurrencyLimit}`
  ),
  order: rule((value) => value === "input" || value === "completion", '"input" or "completion"')
}

/** Checks the options and separates those of bulk work from those of its calls. */
export const bulkOf = (options: BulkOptions = {}) => {
  check(only(rules), options)
  const { concurrency = 4, order = "input", ...callOptions } = options
  return { concurrency, order, callOptions }
}
