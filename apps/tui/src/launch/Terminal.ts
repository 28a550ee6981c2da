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
