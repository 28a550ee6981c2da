/**
 * Switches of what marking does to flags, dates and the answer.
 */
import { row } from "./SwitchRow.ts"

const effects = {
  section: "States and transitions",
  sentence:
    "The effect of each `markAs` value on the other flag (for example whether read implies seen) and on lastSeenDate and lastReadDate: not shown.",
  decidedIn: "operations"
} as const

const answer = {
  section: "Endpoints, Update notifications state",
  sentence: "Response: 201 Created, body is a JSON array of Message.",
  decidedIn: "operations"
} as const

/** Rows about marking messages. */
export const markSwitches = {
  "mark.read.seen": row(["kept", "set"], {
    ...effects,
    question: "What `read` does to `seen`",
    document: "kept",
    observed: "set"
  }),
  "mark.unread.seen": row(["kept", "set", "cleared"], {
    ...effects,
    question: "What `unread` does to `seen`",
    document: "kept",
    observed: "set"
  }),
  "mark.unseen.read": row(["kept", "cleared"], {
    ...effects,
    question: "What `unseen` does to `read`",
    document: "kept",
    observed: "kept"
  }),
  "mark.read.lastReadDate": row(["set", "kept"], {
    ...effects,
    question: "What `read` does to `lastReadDate`",
    document: "set",
    observed: "set"
  }),
  "mark.unread.lastReadDate": row(["kept", "set", "cleared"], {
    ...effects,
    question: "What `unread` does to `lastReadDate`",
    document: "kept",
    observed: "set"
  }),
  "mark.seen.lastSeenDate": row(["set", "kept"], {
    ...effects,
    question: "What `seen` does to `lastSeenDate`",
    document: "set",
    observed: "set"
  }),
  "mark.unseen.lastSeenDate": row(["kept", "set", "cleared"], {
    ...effects,
    question: "What `unseen` does to `lastSeenDate`",
    document: "kept",
    observed: "set"
  }),
  "mark.read.lastSeenDate": row(["kept", "set"], {
    ...effects,
    question: "What `read` does to `lastSeenDate`",
    document: "kept",
    observed: "set"
  }),
  "mark.unread.lastSeenDate": row(["kept", "set", "cleared"], {
    ...effects,
    question: "What `unread` does to `lastSeenDate`",
    document: "kept",
    observed: "set"
  }),
  "mark.repeated": row(["dates-rewritten", "dates-kept"], {
    ...effects,
    question: "Dates of a message that has the wanted state already",
    document: "dates-rewritten",
    observed: "dates-rewritten"
  }),
  "mark.order": row(["created", "request", "shuffled"], {
    ...answer,
    question: "Order of the messages in the answer",
    document: "created",
    observed: "created"
  }),
  "mark.duplicates": row(["collapsed", "repeated"], {
    ...answer,
    question: "An id that is named twice",
    document: "collapsed",
    observed: "collapsed"
  }),
  "mark.unknownIds": row(["ignored", "400", "404"], {
    ...answer,
    question: "An object id that is no message of the subscriber",
    document: "ignored",
    observed: "ignored"
  }),
  "mark.unchanged": row(["returned", "omitted"], {
    ...answer,
    question: "A message that has the wanted state already",
    document: "returned",
    observed: "returned"
  }),
  "mark.channels": row(["in-app", "any"], {
    section: "What the service does",
    sentence: "Mark several in-app (inbox) messages of one subscriber as read, unread, seen or unseen.",
    decidedIn: "operations",
    question: "Whether messages of other channels can be marked",
    document: "in-app",
    observed: "any",
    adversarial: "in-app"
  }),
  "mark.idLimit": row(["none", "100"], {
    section: "Limits",
    sentence: "The table of limits names none for `messageId`.",
    decidedIn: "operations",
    question: "Most ids in one request; more are refused with 400",
    document: "none",
    observed: "none"
  })
} as const
