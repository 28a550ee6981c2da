import type { ActivityNotification } from "@signalbox/core/Records"

/**
 * The identity of an event. The document makes `_id` optional, and a transaction that went to a topic has one event for
 * each of its subscribers.
 */
export const eventKey = ({ _id, _subscriberId, transactionId }: ActivityNotification): string =>
  _id ?? `${transactionId} ${_subscriberId}`

/** When an event was created, in milliseconds since 1970; `NaN` where its time is absent or cannot be read. */
export const timeOf = ({ createdAt }: Pick<ActivityNotification, "createdAt">): number => Date.parse(createdAt ?? "")
