/** The shells that completions exist for. */
export const shells = ["bash", "zsh", "fish", "pwsh"] as const

/** Name of a shell. */
export type Shell = (typeof shells)[number]
