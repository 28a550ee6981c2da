/** The purpose of a one-line prompt. */
export type PromptPurpose = "filter" | "search" | "messages" | "export" | "record"

/** The entries typed into each kind of prompt, the latest last, also those of prompts that were closed. */
export type TypedBefore = ReadonlyMap<PromptPurpose, ReadonlyArray<string>>

/** How many entries of each kind of prompt are remembered. */
export const maxRemembered = 50

/** Entries with others behind them, each once. */
export const joined = (before: ReadonlyArray<string> = [], latest: ReadonlyArray<string> = []): ReadonlyArray<string> =>
  [...before.filter((text) => !latest.includes(text)), ...latest].slice(-maxRemembered)
