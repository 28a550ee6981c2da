/** The key that opens text for which a pane is too small; every cut text names it. */
export const fullTextKey = "z"

/** The same in the form, where a letter types itself. */
export const fullTextKeyInForm = "ctrl-t"
