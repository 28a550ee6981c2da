/** The maximum number of columns in a line. */
export const columns = 100

/** A string clipped to a width, with an ellipsis if it is longer. */
export const clipped = (text: string, room: number): string =>
  text.length <= room ? text : `${text.slice(0, Math.max(0, room - 1))}…`

/** A string in lines of a maximum width, broken between words; longer words are clipped. */
export const wrapped = (text: string, room: number): ReadonlyArray<string> => {
  const lines: Array<string> = []
  const [indent = ""] = /^ */u.exec(text) ?? []
  let line = ""
  for (const word of text.trimStart().split(" ")) {
    const longer = line === "" ? indent + word : `${line} ${word}`
    if (longer.length > room && line !== "") {
      lines.push(line)
      line = `  ${word}`
    } else line = longer
  }
  return [...lines, line].map((full) => clipped(full, room))
}
