/** Characters of one cell each that never join their neighbours: letters of most European names, and our own signs. */
const plain = /^[ -~¡-¬®-ſ…›•✓✗─│┃▸▾→▁-█▒▓┄·▲×┬┴]*$/u

/** Whether a text is nothing but such characters: safe to draw, and as many cells as characters. */
export const isPlain = (text: string): boolean => plain.test(text)

// oxlint-disable-next-line no-control-regex -- a colour sequence begins with one
const colours = /\u001B\[[\d;]*m/gu

/**
 * The cells of a text that is nothing but such characters and colours; `undefined` for all others, which take a closer
 * look. The closer look needs tables of every emoji, and those cost a tenth of the time until the first frame.
 */
export const plainCells = (text: string): number | undefined => {
  const visible = text.includes("\u001B") ? text.replaceAll(colours, "") : text
  return plain.test(visible) ? visible.length : undefined
}
