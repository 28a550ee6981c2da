/**
 * The error of a check that needs requests which the journal no longer has.
 */
import type { Journal } from "../journal/Journal.ts"

/** Requests were evicted from the journal, so nothing can be said about all requests. */
export class JournalEvicted extends Error {
  override readonly name = "JournalEvicted"

  constructor({ capacity, evicted }: Journal) {
    const total = capacity + evicted()
    super(
      `nothing can be environment: the journal keeps ${capacity} requests and has forgotten the oldest ${evicted()} of ${total}; ` +
        `make the environment with { journalCapacity: ${2 * total} }, or judge sooner`
    )
  }
}

/** Throws if requests were evicted. */
export const checkNotEvicted = (journal: Journal): void => {
  if (journal.evicted() > 0) throw new JournalEvicted(journal)
}
