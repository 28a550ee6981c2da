/** A cursor in a list of one-row items and the first item of the window. */
export interface Cursor {
  readonly at: number
  readonly top: number
}

/** The first item. */
export const start: Cursor = { at: 0, top: 0 }

/**
 * The cursor inside the list and the window around it. The window moves only as far as it must, so that a list does not
 * jump when the terminal is resized or items are added below.
 */
export const settle = (cursor: Cursor, length: number, height: number): Cursor => {
  const at = Math.max(0, Math.min(cursor.at, length - 1))
  const last = Math.max(0, length - Math.max(1, height))
  const top = Math.max(0, Math.min(cursor.top, at, last), at - Math.max(1, height) + 1)
  return at === cursor.at && top === cursor.top ? cursor : { at, top }
}

/** The screen with its cursor on another item. Every list settles its cursor after a message, so the window follows. */
export const withCursorAt = <Screen extends { readonly cursor: Cursor }>(screen: Screen, at: number): Screen => ({
  ...screen,
  cursor: { ...screen.cursor, at }
})
