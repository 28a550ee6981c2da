/**
 * Puts the cursor where the last frame left it, for everything is drawn from there: another program that has written to
 * the terminal may have moved it, narrowed the region that scrolls, or changed the look of text.
 */
export const atLastRow = (rows: number): string => `\u001B[r\u001B[?6l\u001B[?7h\u001B[0m\u001B[?25l\u001B[${rows};1H`

/** The first frame, on the alternate screen without a cursor. Terminals that can show it at once. */
export const firstFrame = (text: string): string => `\u001B[?1049h\u001B[?25l\u001B[?2026h\u001B[H${text}\u001B[?2026l`

/**
 * Lets Ink draw its first frame over it, in one update: the list may have changed meanwhile, and some terminals clear the
 * alternate screen when it is entered again.
 */
export const overFirstFrame = "\u001B[?2026h\u001B[H\u001B[J"

/**
 * Puts a terminal right that a killed program left behind: main screen, cursor, no mouse reports, no bracketed paste, no
 * keyboard protocol, plain text, wrapping lines.
 */
export const resetSequence = [
  "\u001B[?1049l",
  "\u001B[?25h",
  "\u001B[?1000l\u001B[?1002l\u001B[?1003l\u001B[?1006l",
  "\u001B[?2004l",
  "\u001B[?2026l",
  "\u001B[<u",
  "\u001B[?7h",
  "\u001B[0m",
  "\u001B[?1l\u001B>"
].join("")
