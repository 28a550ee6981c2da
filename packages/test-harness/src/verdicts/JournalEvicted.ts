/**
 * The refusal to judge requests that were forgotten.
 */
import type { Journal } from "../journal/Journal.ts"

/** A journal has forgotten requests, so that nothing can be said about what was asked. */
export class JournalEvicted extends Error {
  override readonly name = "JournalEvicted"

  constructor({ capacity, evicted }: Journal) {
    const total = capacity + evicted()
    super(
      `nothing can be judged: the journal keeps ${capacity} requests and has forgotten the oldest ${evicted()} of ${total}; ` +
        `make the environment with { journalCapacity: ${2 * total} }, or judge sooner`
    )
  }
}

/** Throws where requests were forgotten. */
export const refuseEvicted = (journal: Journal): void => {
  if (journal.evicted() > 0) throw new JournalEvicted(journal)
}
