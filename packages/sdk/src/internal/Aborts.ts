interface Listener {
  readonly callbacks: Set<() => void>
  readonly notify: () => void
}

const listeners = /* @__PURE__ */ new WeakMap<AbortSignal, Listener>()

const makeListener = (): Listener => {
  const callbacks = new Set<() => void>()
  const notify = () => {
    for (const callback of callbacks) callback()
  }
  return { callbacks, notify }
}

/**
 * Calls back when a signal is aborted; returns a function that forgets the callback. The calls on one signal share a
 * listener, because a signal compares each listener that is added or removed with all others.
 */
export const onAbort = (signal: AbortSignal, callback: () => void): (() => void) => {
  const listener = listeners.get(signal) ?? makeListener()
  const { callbacks, notify } = listener
  if (callbacks.size === 0) {
    listeners.set(signal, listener)
    signal.addEventListener("abort", notify)
  }
  callbacks.add(callback)
  return () => {
    callbacks.delete(callback)
    if (callbacks.size === 0) signal.removeEventListener("abort", notify)
  }
}
