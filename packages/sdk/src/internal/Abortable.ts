/**
 * Waits for a promise or for the signal, whichever comes first, and leaves no listener behind.
 *
 * Rejects with the signal's reason when it is aborted; what the promise comes to is then ignored.
 */
export const abortable = <A>(begin: () => Promise<A>, signal: AbortSignal | undefined): Promise<A> => {
  if (signal === undefined) return begin()
  return new Promise((resolve, reject) => {
    signal.throwIfAborted()
    const onAbort = () => reject(signal.reason)
    signal.addEventListener("abort", onAbort, { once: true })
    begin()
      .then(resolve, reject)
      .finally(() => signal.removeEventListener("abort", onAbort))
  })
}
