/** The outcome for the credentials of one subscriber in a queue. */
export type FixOutcome = "sent" | "failed" | "skipped"

/** The subscribers whose failures have one cause that credentials fix, stepped through with the credentials form. */
export interface FixQueue {
  readonly cause: string
  /** A few words: `slack webhook missing`. */
  readonly title: string
  readonly providerId: string | undefined
  /** Why the form opens, for the line above its fields. */
  readonly reason: string
  /** External ids, the one that the form was opened for first. */
  readonly subscribers: ReadonlyArray<string>
  readonly outcomes: ReadonlyMap<string, FixOutcome>
}

/** The queue with the outcome of one subscriber; unchanged where that one is not in it. */
export const withOutcome = (
  queue: FixQueue | undefined,
  subscriberId: string,
  outcome: FixOutcome
): FixQueue | undefined =>
  queue === undefined || !queue.subscribers.includes(subscriberId)
    ? queue
    : { ...queue, outcomes: new Map([...queue.outcomes, [subscriberId, outcome]]) }

/** The first subscriber after this one whose credentials are neither sent nor skipped; going round. */
export const nextOf = ({ outcomes, subscribers }: FixQueue, subscriberId: string): string | undefined => {
  const at = subscribers.indexOf(subscriberId)
  return [...subscribers.slice(at + 1), ...subscribers.slice(0, at)].find((id) => {
    const outcome = outcomes.get(id)
    return outcome === undefined || outcome === "failed"
  })
}

/** How far a queue is: `2 of 4, 1 sent, 1 skipped`. */
export const progressOf = ({ outcomes, subscribers }: FixQueue, subscriberId: string): string => {
  const counts = (["sent", "failed", "skipped"] as const).flatMap((outcome) => {
    const count = Array.from(outcomes.values()).filter((one) => one === outcome).length
    return count === 0 ? [] : [`${count} ${outcome}`]
  })
  return [`${subscribers.indexOf(subscriberId) + 1} of ${subscribers.length}`, ...counts].join(", ")
}
