import type { BulkOptions } from "../ClientOptions.ts"
import { number, only, type Parts, rule } from "@signalbox/core/internal/policies/Rules"
import { check, sharedRules } from "./OptionRules.ts"

const concurrencyLimit = 100

const rules: Parts<keyof BulkOptions> = {
  ...sharedRules,
  concurrency: number(
    (value) => Number.isInteger(value) && value >= 1 && value <= concurrencyLimit,
    `must be a whole number from 1 to ${concurrencyLimit}`
  ),
  order: rule((value) => value === "input" || value === "completion", 'must be "input" or "completion"')
}

/** Checks the options and separates those of bulk work from those of its calls. */
export const bulkOf = (options: BulkOptions = {}) => {
  check(options, only(rules))
  const { concurrency = 4, order = "input", ...callOptions } = options
  return { concurrency, order, callOptions }
}
