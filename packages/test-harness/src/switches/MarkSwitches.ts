import { rowsAbout } from "./SwitchRow.ts"

const effects = rowsAbout(
  "States and transitions",
  "The effect of each `markAs` value on the other flag (for example whether read implies seen) and on lastSeenDate and lastReadDate: not shown."
)

const response = rowsAbout(
  "Endpoints, Update notifications state",
  "Response: 201 Created, body is a JSON array of Message."
)

export const markSwitches = {
  "mark.read.seen": effects("Effect of `read` on `seen`", ["kept", "set"], "set"),
  "mark.unread.seen": effects("Effect of `unread` on `seen`", ["kept", "set", "cleared"], "set"),
  "mark.unseen.read": effects("Effect of `unseen` on `read`", ["kept", "cleared"], "kept"),
  "mark.read.lastReadDate": effects("Effect of `read` on `lastReadDate`", ["set", "kept"], "set"),
  "mark.unread.lastReadDate": effects("Effect of `unread` on `lastReadDate`", ["kept", "set", "cleared"], "set"),
  "mark.seen.lastSeenDate": effects("Effect of `seen` on `lastSeenDate`", ["set", "kept"], "set"),
  "mark.unseen.lastSeenDate": effects("Effect of `unseen` on `lastSeenDate`", ["kept", "set", "cleared"], "set"),
  "mark.read.lastSeenDate": effects("Effect of `read` on `lastSeenDate`", ["kept", "set"], "set"),
  "mark.unread.lastSeenDate": effects("Effect of `unread` on `lastSeenDate`", ["kept", "set", "cleared"], "set"),
  "mark.repeated": effects(
    "Effect on the dates of a message that is already in the requested state",
    ["dates-rewritten", "dates-kept"],
    "dates-rewritten"
  ),
  "mark.order": response("Order of the messages in the response", ["created", "request", "shuffled"], "created"),
  "mark.duplicates": response("Handling of a message id that appears twice", ["collapsed", "repeated"], "collapsed"),
  "mark.unknownIds": response(
    "Handling of an object id that does not belong to a message of the subscriber",
    ["ignored", "400", "404"],
    "ignored"
  ),
  "mark.unchanged": response(
    "Whether the response includes a message that was already in the requested state",
    ["returned", "omitted"],
    "returned"
  ),
  "mark.channels": rowsAbout(
    "What the service does",
    "Mark several in-app (inbox) messages of one subscriber as read, unread, seen or unseen."
  )("Whether messages of other channels can be marked", ["in-app", "any"], "any", { adversarial: "in-app" }),
  "mark.idLimit": rowsAbout("Limits", "The table of limits names none for `messageId`.")(
    "Maximum number of message ids in one request; more are rejected with 400",
    ["none", "100"],
    "none"
  )
} as const
