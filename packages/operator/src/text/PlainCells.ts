/** Characters of one cell each that never join their neighbours: letters of most European names, and the symbols of Signalbox. */
const plain = /^[ -~¡-¬®-ſ…›•✓✗─│┃▸▾→▁-█▒▓┄·▲×├┤┼]*$/u

/** Whether a string has only such characters: safe to draw, and one cell per character. */
export const isPlain = (text: string): boolean => plain.test(text)

// oxlint-disable-next-line no-control-regex -- a colour sequence begins with one
const colours = /\u001B\[[\d;]*m/gu

/**
 * Counts the cells of a string that has only such characters and colour sequences; returns `undefined` for any other
 * string. Measuring those needs tables of every emoji, which take a tenth of the time until the first frame to load.
 */
export const plainCells = (text: string): number | undefined => {
  const visible = text.includes("\u001B") ? text.replaceAll(colours, "") : text
  return plain.test(visible) ? visible.length : undefined
}
