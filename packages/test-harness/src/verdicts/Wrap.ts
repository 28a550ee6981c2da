/**
 * Lines of at most 100 columns.
 */

/** Columns of a line at most. */
export const columns = 100

/** A text in so much room; an ellipsis stands for what has none. */
export const clipped = (text: string, room: number): string =>
  text.length <= room ? text : `${text.slice(0, Math.max(0, room - 1))}…`

/** A text in lines of so much room, broken between words; words that are longer are clipped. */
export const wrapped = (text: string, room: number): ReadonlyArray<string> => {
  const lines: Array<string> = []
  let line = ""
  for (const word of text.split(" ")) {
    const longer = line === "" ? word : `${line} ${word}`
    if (longer.length > room && line !== "") {
      lines.push(line)
      line = `  ${word}`
    } else line = longer
  }
  return [...lines, line].map((full) => clipped(full, room))
}
