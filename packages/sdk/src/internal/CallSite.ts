/** The place in the program where a call was made. */
export type CallSite = Pick<Error, "stack">

/** Records the place; the stack is formatted only when it is read. */
export const callSite = (): CallSite => new Error("a call was made")

/** Appends the frames of the call to the stack of an error, because a fiber's frames do not show them. */
export const locate = (error: unknown, { stack = "" }: CallSite): void => {
  if (!(error instanceof Error)) return
  // The first line is the message; the frames follow.
  const [, ...frames] = stack.split("\n")
  error.stack = [error.stack, ...frames].join("\n")
}
