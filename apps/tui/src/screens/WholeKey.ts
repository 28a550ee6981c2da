/** The key that opens what a pane is too small for; what is cut names it. */
export const wholeKey = "z"

/** The same in the form, where a letter types itself. */
export const wholeKeyOfForm = "ctrl-t"
