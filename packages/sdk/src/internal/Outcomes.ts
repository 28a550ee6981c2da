/** Options of {@link outcomesOf}. */
interface OutcomesOptions<Input, Outcome> {
  readonly inputs: AsyncIterable<Input> | Iterable<Input>
  readonly concurrency: number
  readonly isOrdered: boolean
  readonly signal: AbortSignal | undefined
  /** Never rejects; must settle soon after `stop` is aborted. */
  readonly run: (input: Input, index: number, stop: AbortSignal) => Promise<Outcome>
}

/**
 * Yields one outcome per input taken. At most `concurrency` inputs are between source and consumer, so that memory does
 * not grow. After an abort it takes no more inputs, yields the outcomes of the inputs taken, and throws the reason.
 */
export async function* outcomesOf<Input, Outcome>(
  options: OutcomesOptions<Input, Outcome>
): AsyncGenerator<Outcome, void, undefined> {
  const { concurrency, inputs, isOrdered, run, signal } = options
  const source = Symbol.asyncIterator in inputs ? inputs[Symbol.asyncIterator]() : inputs[Symbol.iterator]()
  const slots: Array<{ readonly done?: { readonly outcome: Outcome } }> = []
  const stop = new AbortController()
  let failure: { readonly reason: unknown } | undefined
  let isTaking = false
  let isExhausted = false
  let taken = 0
  let wake = () => {}

  const onAbort = () => {
    failure ??= { reason: signal?.reason }
    stop.abort(signal?.reason)
    wake()
  }
  const start = async (input: Input): Promise<void> => {
    const slot: { done?: { readonly outcome: Outcome } } = {}
    slots.push(slot)
    try {
      slot.done = { outcome: await run(input, taken++, stop.signal) }
    } catch (reason) {
      slots.splice(slots.indexOf(slot), 1)
      failure ??= { reason }
    }
    wake()
  }
  const take = async (): Promise<void> => {
    isTaking = true
    try {
      const pulled = source.next()
      // An abort cannot come between a synchronous source and its input.
      const next = "then" in pulled ? await pulled : pulled
      if (next.done === true) isExhausted = true
      // After an abort, nothing is sent; the input still has an outcome.
      else if (failure === undefined || stop.signal.aborted) void start(next.value)
    } catch (reason) {
      failure ??= { reason }
    }
    isTaking = false
    wake()
  }

  signal?.addEventListener("abort", onAbort)
  if (signal?.aborted) onAbort()
  try {
    while (true) {
      const mayTake = failure === undefined && !isExhausted && !isTaking && slots.length < concurrency
      if (mayTake) void take()
      if (mayTake && !isTaking) continue
      const at = isOrdered ? 0 : slots.findIndex(({ done }) => done !== undefined)
      const ready = slots[at]?.done
      if (ready !== undefined) {
        slots.splice(at, 1)
        yield ready.outcome
        continue
      }
      if (slots.length === 0 && (failure !== undefined || (isExhausted && !isTaking))) break
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    }
    if (failure !== undefined) throw failure.reason
  } finally {
    signal?.removeEventListener("abort", onAbort)
    stop.abort()
    // Waiting for a busy source would make breaking out of the loop hang.
    if (!isExhausted) void Promise.resolve(source.return?.()).catch(() => {})
  }
}
