/**
 * Jobs due at later times of the environment's clock: an immutable priority queue (a leftist heap).
 */

/** A job that is due to start or finish. */
export interface Appointment {
  readonly at: number
  /** The order of appointments at the same time. */
  readonly sequence: number
  readonly eventId: string
  /** Position of the job. */
  readonly job: number
  readonly what: "start" | "finish"
}

/** A queue of appointments; `undefined` when nothing is due. */
export type Agenda =
  | { readonly first: Appointment; readonly rank: number; readonly left: Agenda; readonly right: Agenda }
  | undefined

const before = (one: Appointment, other: Appointment): boolean =>
  one.at === other.at ? one.sequence < other.sequence : one.at < other.at

const merge = (one: Agenda, other: Agenda): Agenda => {
  if (one === undefined) return other
  if (other === undefined) return one
  if (before(other.first, one.first)) return merge(other, one)
  const merged = merge(one.right, other)
  return (one.left?.rank ?? 0) >= (merged?.rank ?? 0)
    ? { first: one.first, left: one.left, right: merged, rank: (merged?.rank ?? 0) + 1 }
    : { first: one.first, left: merged, right: one.left, rank: (one.left?.rank ?? 0) + 1 }
}

export const add = (agenda: Agenda, first: Appointment): Agenda =>
  merge(agenda, { first, rank: 1, left: undefined, right: undefined })

/** The queue without its first appointment. */
export const rest = (agenda: Agenda): Agenda => (agenda === undefined ? undefined : merge(agenda.left, agenda.right))
