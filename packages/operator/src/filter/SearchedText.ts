import type { ActivityNotification } from "@signalbox/core/Records"
import { failuresOf } from "../diagnosis/FailureGroup.ts"
import { payloadValues } from "./PayloadValue.ts"
import { oncePer } from "../reading/OncePer.ts"

/**
 * The strings that words are searched in: names, ids, values of the payload and the reasons of failures, in lower case;
 * computed once for an event.
 */
export const searchedText: (event: ActivityNotification) => string = oncePer((event) => {
  const { _id, subscriber, template, transactionId } = event
  return [
    template?.name,
    ...(template?.triggers ?? []).map(({ identifier }) => identifier),
    subscriber?.subscriberId,
    [subscriber?.firstName, subscriber?.lastName].filter((name) => name !== undefined).join(" "),
    subscriber?.email,
    transactionId,
    _id,
    ...payloadValues(event),
    ...failuresOf(event).flatMap(({ diagnosis, title }) => [title, diagnosis.detail?.detail])
  ]
    .filter((part) => part !== undefined)
    .join("\n")
    .toLowerCase()
})
