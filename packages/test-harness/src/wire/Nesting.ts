/**
 * The maximum nesting of JSON: far deeper than any record of the API, and far from overflowing a stack.
 */

const deepest = 500

export const nestingRule = `nested at most ${deepest} levels deep`

const quote = 0x22
const backslash = 0x5c

/** The change in depth at a code unit outside of strings. */
const levels: Readonly<Record<number, 1 | -1>> = { 0x5b: 1, 0x7b: 1, 0x5d: -1, 0x7d: -1 }

/** Whether a JSON string is nested too deep for recursive functions. */
export const isNestedTooDeep = (json: string): boolean => {
  if (json.length <= deepest * 2) return false
  let depth = 0
  let isInString = false
  for (let at = 0; at < json.length; at += 1) {
    const unit = json.charCodeAt(at)
    if (isInString && unit === backslash) at += 1
    else if (unit === quote) isInString = !isInString
    else if (!isInString) depth += levels[unit] ?? 0
    if (depth > deepest) return true
  }
  return false
}
