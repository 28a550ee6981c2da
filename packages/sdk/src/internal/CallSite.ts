/** Where in the program a call was made. */
export type CallSite = Pick<Error, "stack">

/** Takes note of the place; it is written out only when someone reads it. */
export const callSite = (): CallSite => new Error("a call was made")

/** Adds to the stack of an error where its call was made, which the frames of a fiber do not show. */
export const locate = (error: unknown, { stack = "" }: CallSite): void => {
  if (!(error instanceof Error)) return
  // The first line is the message; the frames follow.
  const [, ...frames] = stack.split("\n")
  error.stack = [error.stack, ...frames].join("\n")
}
