/** The place in the program where a call was made. */
export type CallSite = Pick<Error, "stack">

// Only V8 and engines that follow it can leave frames out.
const { captureStackTrace } = Error as { captureStackTrace?: (target: object, above: CallableFunction) => void }

/**
 * Records the place that called `method`, a method of the client that is being executed: the frames of the SDK are left
 * out where the platform can. The stack is formatted only when it is read.
 */
export const callSite = (method: CallableFunction): CallSite => {
  if (captureStackTrace === undefined) return new Error()
  const site: CallSite = {}
  captureStackTrace(site, method)
  return site
}

/** Appends the frames of the call to the stack of an error, because a fiber's frames do not show them. */
export const locate = (error: unknown, { stack = "" }: CallSite): void => {
  if (!(error instanceof Error)) return
  // The first line is the message; the frames follow.
  const [, ...frames] = stack.split("\n")
  error.stack = [error.stack, ...frames].join("\n")
}
