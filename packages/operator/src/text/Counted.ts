/** A number with its word: `1 message`, `2 messages`; `several` is the plural of a word that takes more than an "s". */
export const counted = (count: number, word: string, several = `${word}s`): string =>
  `${count} ${count === 1 ? word : several}`
