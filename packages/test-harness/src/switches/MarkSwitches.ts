/**
 * Switches for the effect of marking messages on flags, dates and the response.
 */
import { row } from "./SwitchRow.ts"

const effects = {
  section: "States and transitions",
  sentence:
    "The effect of each `markAs` value on the other flag (for example whether read implies seen) and on lastSeenDate and lastReadDate: not shown.",
  decidedIn: "operations"
} as const

const response = {
  section: "Endpoints, Update notifications state",
  sentence: "Response: 201 Created, body is a JSON array of Message.",
  decidedIn: "operations"
} as const

/** Rows about marking messages. */
export const markSwitches = {
  "mark.read.seen": row(["kept", "set"], {
    ...effects,
    question: "Effect of `read` on `seen`",
    observed: "set"
  }),
  "mark.unread.seen": row(["kept", "set", "cleared"], {
    ...effects,
    question: "Effect of `unread` on `seen`",
    observed: "set"
  }),
  "mark.unseen.read": row(["kept", "cleared"], {
    ...effects,
    question: "Effect of `unseen` on `read`",
    observed: "kept"
  }),
  "mark.read.lastReadDate": row(["set", "kept"], {
    ...effects,
    question: "Effect of `read` on `lastReadDate`",
    observed: "set"
  }),
  "mark.unread.lastReadDate": row(["kept", "set", "cleared"], {
    ...effects,
    question: "Effect of `unread` on `lastReadDate`",
    observed: "set"
  }),
  "mark.seen.lastSeenDate": row(["set", "kept"], {
    ...effects,
    question: "Effect of `seen` on `lastSeenDate`",
    observed: "set"
  }),
  "mark.unseen.lastSeenDate": row(["kept", "set", "cleared"], {
    ...effects,
    question: "Effect of `unseen` on `lastSeenDate`",
    observed: "set"
  }),
  "mark.read.lastSeenDate": row(["kept", "set"], {
    ...effects,
    question: "Effect of `read` on `lastSeenDate`",
    observed: "set"
  }),
  "mark.unread.lastSeenDate": row(["kept", "set", "cleared"], {
    ...effects,
    question: "Effect of `unread` on `lastSeenDate`",
    observed: "set"
  }),
  "mark.repeated": row(["dates-rewritten", "dates-kept"], {
    ...effects,
    question: "Effect on the dates of a message that is already in the requested state",
    observed: "dates-rewritten"
  }),
  "mark.order": row(["created", "request", "shuffled"], {
    ...response,
    question: "Order of the messages in the response",
    observed: "created"
  }),
  "mark.duplicates": row(["collapsed", "repeated"], {
    ...response,
    question: "Handling of a message id that appears twice",
    observed: "collapsed"
  }),
  "mark.unknownIds": row(["ignored", "400", "404"], {
    ...response,
    question: "Handling of an object id that does not belong to a message of the subscriber",
    observed: "ignored"
  }),
  "mark.unchanged": row(["returned", "omitted"], {
    ...response,
    question: "Whether the response includes a message that was already in the requested state",
    observed: "returned"
  }),
  "mark.channels": row(["in-app", "any"], {
    section: "What the service does",
    sentence: "Mark several in-app (inbox) messages of one subscriber as read, unread, seen or unseen.",
    decidedIn: "operations",
    question: "Whether messages of other channels can be marked",
    observed: "any",
    adversarial: "in-app"
  }),
  "mark.idLimit": row(["none", "100"], {
    section: "Limits",
    sentence: "The table of limits names none for `messageId`.",
    decidedIn: "operations",
    question: "Maximum number of message ids in one request; more are rejected with 400",
    observed: "none"
  })
} as const
