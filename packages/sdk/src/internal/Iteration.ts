/** An iteration that can be ended from outside. */
interface Ending {
  readonly fail: (reason: unknown) => void
}

/**
 * An iteration over a source that ends at once, with the reason, when its signal is aborted or its client closed.
 *
 * Leaving the loop, its end and every failure remove the listener and end the source.
 */
export const iterate = <A>(
  makeSource: () => AsyncIterator<A>,
  signal: AbortSignal | undefined,
  register: (ending: Ending) => () => void
): AsyncIterable<A> => ({
  [Symbol.asyncIterator]() {
    let source: AsyncIterator<A> | undefined
    let failure: { readonly reason: unknown } | undefined
    let isOver = false
    let refuse: ((reason: unknown) => void) | undefined
    let unregister = () => {}
    let tail: Promise<unknown> = Promise.resolve()

    const onAbort = () => fail(signal?.reason)
    const end = async (): Promise<void> => {
      if (isOver) return
      isOver = true
      signal?.removeEventListener("abort", onAbort)
      unregister()
      await source?.return?.()
    }
    const fail = (reason: unknown): void => {
      failure ??= { reason }
      refuse?.(reason)
      // The consumer has its reason; what the source says while it ends is no news.
      end().catch(() => {})
    }
    const begin = (): AsyncIterator<A> => {
      signal?.throwIfAborted()
      source = makeSource()
      unregister = register({ fail })
      signal?.addEventListener("abort", onAbort)
      return source
    }
    const step = async (): Promise<IteratorResult<A>> => {
      if (failure !== undefined) {
        const { reason } = failure
        failure = undefined
        throw reason
      }
      if (isOver) return { done: true, value: undefined }
      const from = source ?? begin()
      const result = await new Promise<IteratorResult<A>>((resolve, reject) => {
        refuse = (reason) => {
          failure = undefined
          reject(reason)
        }
        from.next().then(resolve, (reason: unknown) => {
          end().catch(() => {})
          reject(reason)
        })
      }).finally(() => {
        refuse = undefined
      })
      if (result.done === true) await end()
      return result
    }
    return {
      next: () => {
        // Several `next()` at once are answered one after the other.
        const result = tail.then(step)
        tail = result.catch(() => {})
        return result
      },
      return: async () => {
        await end()
        return { done: true, value: undefined }
      }
    }
  }
})
