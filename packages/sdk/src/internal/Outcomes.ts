/** The state of a row: rows of one entry never run at the same time; they run in the order of their inputs. */
interface Ordered {
  readonly entry: string
}

/** An input that was taken. */
export interface Taken<Input, Row> {
  readonly input: Input
  /** Position of the input, counted from 0. */
  readonly index: number
  /** The request of the input when it was read: its owner may change it afterwards. */
  readonly row: Row
}

type Group<Item> = readonly [Item, ...ReadonlyArray<Item>]

/** Options of {@link outcomesOf}. */
interface OutcomesOptions<Input, Row extends Ordered, Outcome> {
  readonly inputs: AsyncIterable<Input> | Iterable<Input>
  readonly concurrency: number
  readonly isOrdered: boolean
  readonly signal: AbortSignal | undefined
  /** Calls back with the reason when no further call can be made; returns a function that forgets the callback. */
  readonly onClose: (closed: (reason: unknown) => void) => () => void
  readonly rowOf: (input: Input, index: number) => Row
  /** Whether a row can be part of the request of the rows before it, which have the same entry. */
  readonly joins: (rows: ReadonlyArray<Row>, next: Row) => boolean
  /** Makes the call of some inputs; must settle soon after `stop` is aborted, and rejects only with a failure of an input. */
  readonly run: (group: Group<Taken<Input, Row>>, stop: AbortSignal) => Promise<ReadonlyArray<Outcome>>
  /** Why no further call can succeed, according to an outcome. */
  readonly endOf: (outcome: Outcome) => { readonly reason: unknown } | undefined
}

interface Slot<Input, Row, Outcome> extends Taken<Input, Row> {
  isStarted: boolean
  done?: { readonly outcome: Outcome }
}

/**
 * Yields one outcome per input taken. At most `concurrency` inputs are between source and consumer, so that memory does
 * not grow. When the work ends early it takes no more inputs, yields the outcomes of the inputs taken, and throws why.
 */
export async function* outcomesOf<Input, Row extends Ordered, Outcome>(
  options: OutcomesOptions<Input, Row, Outcome>
): AsyncGenerator<Outcome, void, undefined> {
  const { concurrency, endOf, inputs, isOrdered, joins, onClose, rowOf, run, signal } = options
  const isSlow = Symbol.asyncIterator in inputs
  const source = Symbol.asyncIterator in inputs ? inputs[Symbol.asyncIterator]() : inputs[Symbol.iterator]()
  const slots: Array<Slot<Input, Row, Outcome>> = []
  const busy = new Set<string>()
  const stop = new AbortController()
  /** Why the work ends early; inputs that were taken before still have an outcome, unless one of them is the failure. */
  let failure: { readonly reason: unknown; readonly isBroken?: boolean } | undefined
  let isTaking = false
  let isExhausted = false
  let taken = 0
  let wake = () => {}

  const onAbort = () => {
    failure ??= { reason: signal?.reason }
    stop.abort(signal?.reason)
    wake()
  }
  const start = async (group: Group<Slot<Input, Row, Outcome>>, entry: string): Promise<void> => {
    busy.add(entry)
    for (const slot of group) slot.isStarted = true
    try {
      const outcomes = await run(group, stop.signal)
      for (const [at, slot] of group.entries()) {
        // `run` returns one outcome per input.
        const outcome = outcomes[at] as Outcome
        slot.done = { outcome }
        failure ??= endOf(outcome)
      }
    } catch (reason) {
      for (const slot of group) slots.splice(slots.indexOf(slot), 1)
      failure ??= { reason, isBroken: true }
    }
    busy.delete(entry)
    wake()
  }
  /** Starts each row whose entry is free, together with the rows behind it that can be part of its request. */
  const startWaiting = (): void => {
    for (const first of slots) {
      const entry = first.row.entry
      if (first.isStarted || busy.has(entry)) continue
      const group: [typeof first, ...Array<typeof first>] = [first]
      for (const next of slots.slice(slots.indexOf(first) + 1)) {
        if (next.row.entry !== entry) continue
        const rows = group.map(({ row }) => row)
        if (!joins(rows, next.row)) break
        group.push(next)
      }
      void start(group, entry)
    }
  }
  const take = async (): Promise<void> => {
    isTaking = true
    try {
      const pulled = source.next()
      // An abort cannot come between a synchronous source and its input.
      const next = "then" in pulled ? await pulled : pulled
      if (next.done === true) isExhausted = true
      // When the work ends early, the input still has an outcome.
      else if (failure?.isBroken !== true)
        slots.push({ input: next.value, row: rowOf(next.value, taken), index: taken++, isStarted: false })
    } catch (reason) {
      failure ??= { reason, isBroken: true }
    }
    isTaking = false
    wake()
  }

  signal?.addEventListener("abort", onAbort)
  if (signal?.aborted) onAbort()
  const forget = onClose((reason) => {
    failure ??= { reason }
    wake()
  })
  try {
    while (true) {
      const mayTake = failure === undefined && !isExhausted && !isTaking && slots.length < concurrency
      // Inputs that are available at once can share a request; the first of a slow source does not wait for others.
      if (isSlow || !mayTake) startWaiting()
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
    forget()
    stop.abort()
    // Waiting for a busy source would make breaking out of the loop hang.
    if (!isExhausted) void Promise.resolve(source.return?.()).catch(() => {})
  }
}
