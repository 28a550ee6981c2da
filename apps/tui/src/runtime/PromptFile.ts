/**
 * The entries of prompts, kept between two sessions in a file that only its owner can read. Searches and
 * lists of message ids are not kept, nor is anything that may hold a token.
 */
import { readFileSync } from "node:fs"
import { statePath, type Environment } from "@signalbox/operator/connections/ConfigPath"
import { ownRedaction } from "@signalbox/operator/connections/OwnKeys"
import { joined, type PromptPurpose, type TypedBefore } from "../state/TypedBefore.ts"
import { replaceStateFile } from "./StateFile.ts"

/** The prompts whose entries are kept. */
const kept: ReadonlyArray<PromptPurpose> = ["filter", "export", "record"]

/** Longer entries were probably pasted. */
const longest = 300

/** A word with a digit may be a token from this length on; any word may be from {@link longestName} on. */
const shortestToken = 16
const longestName = 40

const mayHoldToken = (text: string): boolean =>
  text.length > longest ||
  text.includes("://") ||
  ownRedaction("messages").text(text) !== text ||
  (text.match(/[\w+/=-]+/gu) ?? []).some(
    (word) => word.length >= longestName || (word.length >= shortestToken && /\d/u.test(word))
  )

const pathIn = (environment: Environment): string => statePath(environment, "prompts.json")

/** The kept entries; none where the file does not exist or is damaged. */
export const readPrompts = (environment: Environment): TypedBefore => {
  try {
    const fields: Readonly<Record<string, unknown>> = { ...JSON.parse(readFileSync(pathIn(environment), "utf8")) }
    return new Map(
      kept.flatMap((purpose) => {
        const entries = fields[purpose]
        const strings = Array.isArray(entries) ? entries.filter((text) => typeof text === "string") : []
        return strings.length === 0 ? [] : [[purpose, joined(strings)] as const]
      })
    )
  } catch {
    return new Map()
  }
}

/** Adds the entries of a session to those of the file, which another session may have changed meanwhile. */
export const keepPrompts = (environment: Environment, typed: TypedBefore): string | undefined => {
  const before = readPrompts(environment)
  const fields = kept.map((purpose) => {
    const own = typed.get(purpose)?.filter((text) => !mayHoldToken(text))
    return [purpose, joined(before.get(purpose), own)] as const
  })
  return replaceStateFile(pathIn(environment), Object.fromEntries(fields))
}
