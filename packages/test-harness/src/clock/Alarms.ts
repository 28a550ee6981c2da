/**
 * Callbacks scheduled for points in time, in order.
 */

interface Alarm {
  readonly at: number
  /** Alarms for the same time run in the order in which they were set. */
  readonly number: number
  readonly callback: () => void
  /** Its index in the heap; -1 if it is not in the heap. */
  place: number
}

export interface Alarms {
  /** Sets an alarm; returns a function that cancels it. */
  readonly set: (at: number, callback: () => void) => () => void
  /** Removes and returns the first alarm that is due by a time. */
  readonly take: (until: number) => Pick<Alarm, "at" | "callback"> | undefined
}

const isBefore = (one: Alarm, other: Alarm): boolean =>
  one.at < other.at || (one.at === other.at && one.number < other.number)

/** Makes an empty set of alarms: a binary heap, because each delayed request has one. */
export const makeAlarms = (): Alarms => {
  const heap: Array<Alarm> = []
  let numbers = 0

  const put = (alarm: Alarm, place: number): void => {
    heap[place] = alarm
    alarm.place = place
  }

  /** Puts an alarm at a free index, or above it. */
  const rise = (alarm: Alarm, from: number): void => {
    let place = from
    for (;;) {
      const above = (place - 1) >> 1
      const parent = place === 0 ? undefined : heap[above]
      if (parent === undefined || isBefore(parent, alarm)) return put(alarm, place)
      put(parent, place)
      place = above
    }
  }

  const firstBelow = (place: number): Alarm | undefined => {
    const left = heap[place * 2 + 1]
    const right = heap[place * 2 + 2]
    return left !== undefined && right !== undefined && isBefore(right, left) ? right : left
  }

  /** Puts an alarm at a free index, or below it. */
  const sink = (alarm: Alarm, from: number): void => {
    let place = from
    for (;;) {
      const child = firstBelow(place)
      if (child === undefined || isBefore(alarm, child)) return put(alarm, place)
      const below = child.place
      put(child, place)
      place = below
    }
  }

  const remove = (alarm: Alarm): void => {
    const { place } = alarm
    if (place < 0) return
    alarm.place = -1
    const last = heap.pop()
    if (last === undefined || last === alarm) return
    sink(last, place)
    rise(last, last.place)
  }

  return {
    set: (at, callback) => {
      numbers += 1
      const alarm: Alarm = { at, number: numbers, callback, place: -1 }
      rise(alarm, heap.length)
      return () => remove(alarm)
    },
    take: (until) => {
      const [first] = heap
      if (first === undefined || first.at > until) return undefined
      remove(first)
      return first
    }
  }
}
