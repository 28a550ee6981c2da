import type { BulkOptions } from "../Client.ts"
import { ClientOptionError } from "../ClientOptionError.ts"
import { checkCallOptions } from "./OptionRules.ts"

const standardConcurrency = 4
const concurrencyLimit = 100

/** Takes what only bulk work knows off the options, after a check. */
export const bulkOf = ({ concurrency = standardConcurrency, order = "input", ...callOptions }: BulkOptions) => {
  if (!Number.isInteger(concurrency) || concurrency < 1 || concurrency > concurrencyLimit) {
    throw new ClientOptionError("concurrency", `must be a whole number from 1 to ${concurrencyLimit}`)
  }
  if (order !== "input" && order !== "completion") {
    throw new ClientOptionError("order", 'must be "input" or "completion"')
  }
  checkCallOptions(callOptions)
  return { concurrency, order, callOptions }
}
