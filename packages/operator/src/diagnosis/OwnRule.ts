/**
 * Causes that a team adds in its configuration file, for messages of their providers and endpoints. They come before the
 * catalogue.
 */
import { type Evidence, quotable, readLimit } from "./Evidence.ts"
import type { Owner } from "./Owner.ts"
import type { FailureRule } from "./Rule.ts"

/** A cause that the configuration file adds. */
export interface OwnRule {
  /** Words of the service or the provider, in any case; `*` stands for any characters. */
  readonly match: string
  /** A few words for columns and groups. */
  readonly title: string
  readonly advice: string
  readonly owner: Owner
}

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/gu, "\\$&")

const patternOf = (match: string): RegExp => new RegExp(match.split("*").map(escaped).join("[^]*?"), "iu")

/** The name of a rule in groups and filters: `own-quota-of-the-month`. */
const idOf = (title: string): string =>
  `own-${title
    .toLowerCase()
    .replaceAll(/[^\p{Letter}\p{Number}]+/gu, "-")
    .replaceAll(/^-|-$/gu, "")}`

const ruleOf = ({ advice, match, owner, title }: OwnRule): FailureRule => {
  const pattern = patternOf(match)
  return {
    id: idOf(title),
    owner,
    title: () => title,
    matches: ({ detail, providerMessage, words }: Evidence) =>
      [words, detail?.detail.slice(0, readLimit), providerMessage].some(
        (text) => text !== undefined && pattern.test(text)
      ),
    cause: ({ detail, providerMessage }) => {
      const said = providerMessage ?? detail?.detail
      return said === undefined ? `${title}.` : `${title}. It said: "${quotable(said)}"`
    },
    advice: () => advice
  }
}

let rules: ReadonlyArray<FailureRule> = []

/**
 * Sets the rules of the configuration file for this process. Call it before the first event is diagnosed: diagnoses are
 * remembered.
 *
 * @example
 * ```ts
 * useOwnRules([{ match: "quota * exceeded", title: "quota of the month used up", advice: "Ask sales.", owner: "plan" }])
 * ```
 */
export const useOwnRules = (own: ReadonlyArray<OwnRule>): void => {
  rules = own.map(ruleOf)
}

/** The first rule of the configuration file that matches. */
export const ownRuleFor = (evidence: Evidence): FailureRule | undefined =>
  rules.find(({ matches }) => matches?.(evidence) === true)
