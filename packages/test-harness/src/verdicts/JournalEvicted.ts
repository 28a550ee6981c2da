import type { Journal } from "../journal/Journal.ts"

/** Requests were evicted from the journal, so nothing can be said about all requests. */
export class JournalEvicted extends Error {
  override readonly name = "JournalEvicted"

  constructor({ capacity, evicted }: Journal) {
    const total = capacity + evicted()
    super(
      `cannot check the requests: the journal keeps ${capacity} and has evicted the oldest ${evicted()} of ${total}; ` +
        `create the environment with { journalCapacity: ${2 * total} }, or check earlier`
    )
  }
}

/** Throws if requests were evicted. */
export const checkNotEvicted = (journal: Journal): void => {
  if (journal.evicted() > 0) throw new JournalEvicted(journal)
}
