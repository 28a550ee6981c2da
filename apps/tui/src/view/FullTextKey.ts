/** The key that opens what a pane is too small for; what is cut names it. */
export const fullTextKey = "z"

/** The same in the form, where a letter types itself. */
export const fullTextKeyInForm = "ctrl-t"
