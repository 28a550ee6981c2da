/**
 * Items due at later times of a clock: an immutable priority queue (a leftist heap).
 */

export interface Due {
  readonly at: number
  /** The order of items at the same time. */
  readonly sequence: number
}

/** A queue of items; `undefined` when nothing is due. */
export type Agenda<Item extends Due> =
  | { readonly first: Item; readonly rank: number; readonly left: Agenda<Item>; readonly right: Agenda<Item> }
  | undefined

const before = (one: Due, other: Due): boolean =>
  one.at === other.at ? one.sequence < other.sequence : one.at < other.at

const merge = <Item extends Due>(one: Agenda<Item>, other: Agenda<Item>): Agenda<Item> => {
  if (one === undefined) return other
  if (other === undefined) return one
  if (before(other.first, one.first)) return merge(other, one)
  const { first, left } = one
  const right = merge(one.right, other)
  const [more, less] = (left?.rank ?? 0) >= (right?.rank ?? 0) ? [left, right] : [right, left]
  return { first, left: more, right: less, rank: (less?.rank ?? 0) + 1 }
}

export const add = <Item extends Due>(agenda: Agenda<Item>, first: Item): Agenda<Item> =>
  merge(agenda, { first, rank: 1, left: undefined, right: undefined })

/** The queue without its first item. */
export const rest = <Item extends Due>(agenda: Agenda<Item>): Agenda<Item> =>
  agenda === undefined ? undefined : merge(agenda.left, agenda.right)
