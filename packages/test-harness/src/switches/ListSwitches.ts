/**
 * Switches for filtering, sorting and paging the event list.
 */
import { row } from "./SwitchRow.ts"

const filters = {
  section: "Endpoints, List all events",
  sentence: "How several filters combine, and the wire encoding of array parameters: not shown.",
  decidedIn: "operations"
} as const

const errors = {
  section: "Errors",
  sentence: "Error status codes, error body shape and error conditions: not shown.",
  decidedIn: "operations"
} as const

const parameter = (name: string, meaning: string) =>
  ({ section: "Endpoints, List all events", sentence: `${name}: ${meaning}`, decidedIn: "operations" }) as const

/** Rows about the event list. */
export const listSwitches = {
  "list.arrayEncoding": row(["repeat-brackets-indices", "repeat", "brackets", "indices", "comma", "any"], {
    ...filters,
    question: "Accepted encodings of array parameters: `a=1&a=2`, `a[]=1`, `a[0]=1`, `a=1,2`",
    observed: "repeat-brackets-indices",
    adversarial: "repeat"
  }),
  "list.nested": row(["ignored", "read"], {
    ...filters,
    question:
      "Handling of brackets in the name of a parameter that takes one value (`search[]=a`), or around a name (`emails[a]=b`): an unknown parameter, or a list or object as its value",
    observed: "read"
  }),
  "list.valueLimit": row(["none", "20"], {
    ...filters,
    question: "How many values of one parameter are a list; more are an object, which no parameter takes",
    observed: "20"
  }),
  "list.repeated": row(["last", "400", "422"], {
    ...errors,
    question: "Handling of a second value of `page`, `limit`, `search`, `after` or `before`",
    observed: "422"
  }),
  "list.subscriptionId": row(["filters", "ignored", "400", "422"], {
    ...errors,
    question: "Handling of `subscriptionId`, a filter by topic subscription that is newer than the document",
    document: "400",
    observed: "filters"
  }),
  "list.empty": row(["value", "no-filter"], {
    ...filters,
    question: "Meaning of an empty parameter, such as `channels=`: an empty value, or no filter (0 for a number)",
    observed: "no-filter"
  }),
  "list.channels": row(["job-types", "message-channels"], {
    ...parameter("channels", "channels"),
    question: "Values of `channels` that are known: all job types, or the channels that messages are sent by",
    observed: "message-channels"
  }),
  "list.filters": row(["all", "any"], {
    ...filters,
    question: "Whether a record must match all filters or any of them",
    observed: "all",
    adversarial: "all"
  }),
  "list.subscriberFilters": row(["all", "any"], {
    ...filters,
    question: "Whether a subscriber must match all of `emails`, `subscriberIds` and `search`, or any of the three",
    observed: "any"
  }),
  "list.order": row(["newest-first", "oldest-first"], {
    ...parameter("data", "the records"),
    question: "Order of the records",
    observed: "newest-first",
    adversarial: "newest-first"
  }),
  "list.ties": row(["last-inserted-first", "first-inserted-first", "shuffled"], {
    ...parameter("data", "the records"),
    question: "Order of records with the same timestamp",
    observed: "first-inserted-first"
  }),
  "list.after": row(["exclusive", "inclusive"], {
    ...parameter("after", "only records after this timestamp"),
    question: "Whether `after` is inclusive",
    observed: "inclusive"
  }),
  "list.before": row(["exclusive", "inclusive"], {
    ...parameter("before", "only records before this timestamp"),
    question: "Whether `before` is inclusive",
    observed: "inclusive"
  }),
  "list.dateFormats": row(["iso", "any"], {
    section: "Conventions",
    sentence: "Timestamps are strings (ISO 8601 where stated).",
    decidedIn: "operations",
    question: "Accepted date formats: ISO 8601 only, or anything that JavaScript can parse",
    observed: "any",
    adversarial: "iso"
  }),
  "list.badDate": row(["400", "422", "ignored"], {
    ...errors,
    question: "Handling of an invalid date",
    observed: "400"
  }),
  "list.reversedRange": row(["empty", "400"], {
    ...errors,
    question: "Result when `after` is later than `before`",
    observed: "400"
  }),
  "list.badLimit": row(["400", "422", "clamped"], {
    section: "Limits",
    sentence: "`limit`: default 10, minimum 1, maximum 50",
    decidedIn: "operations",
    question: "Handling of an invalid `limit`: 0, 51, 1.5 or not a number",
    observed: "422"
  }),
  "list.badPage": row(["400", "422", "clamped"], {
    section: "Limits",
    sentence: "`page`: default 0, minimum 0",
    decidedIn: "operations",
    question: "Handling of an invalid `page`: -1, 1.5 or not a number",
    observed: "422"
  }),
  "list.badChannel": row(["no-match", "400", "422"], {
    ...errors,
    question: "Handling of an unknown value of `channels`",
    observed: "422"
  }),
  "list.badTemplate": row(["no-match", "400", "422"], {
    ...errors,
    question: "Handling of a value of `templates` that is not an object id",
    observed: "422"
  }),
  "list.badSeverity": row(["no-match", "400", "422"], {
    ...errors,
    question: "Handling of a value of `severity` that is not a severity level",
    observed: "422"
  }),
  "list.unknownParameter": row(["ignored", "400", "422"], {
    ...errors,
    question: "Handling of a query parameter that the document does not define",
    observed: "ignored"
  }),
  "list.transactionIdRepeated": row(["any-of", "last", "400", "422"], {
    ...parameter("transactionId", "filter by transaction id"),
    question: "Handling of a request with two values of `transactionId`",
    document: "400",
    observed: "any-of"
  }),
  "list.topicKeyRepeated": row(["any-of", "last", "400", "422"], {
    ...parameter("topicKey", "filter notifications by topic key"),
    question: "Handling of a request with two values of `topicKey`",
    document: "400",
    observed: "422"
  }),
  "list.search": row(["email-or-id", "name-email-or-id", "ignored"], {
    ...parameter("search", "deprecated search term"),
    question:
      "What the deprecated `search` parameter matches: part of the email address or the whole id; also the names; nothing",
    observed: "email-or-id"
  }),
  "list.contextKeys": row(["exact-set", "any-of", "all-of", "ignored"], {
    ...parameter("contextKeys", "exact context keys, format `type:id`"),
    question: "How a filter with several context keys matches",
    observed: "exact-set",
    adversarial: "any-of"
  }),
  "list.contextKeysEmpty": row(["no-filter", "without-context"], {
    ...parameter("contextKeys", "exact context keys, format `type:id`"),
    question: "Meaning of an empty `contextKeys=`",
    observed: "without-context"
  }),
  "list.severityNone": row(["exact", "matches-absent"], {
    ...parameter("severity", "severity levels, or a single level"),
    question: "Whether the severity `none` matches records without a severity",
    observed: "matches-absent"
  }),
  "list.hasMore": row(["exact", "full-page"], {
    ...parameter("hasMore", "more records exist in the result set"),
    question: "Value of `hasMore` on a last page that is full",
    observed: "full-page"
  }),
  "list.emptyPage": row(["asked", "zero-when-no-subscriber", "zero"], {
    ...parameter("page", "current page"),
    question: "Value of `page` in a response without records",
    observed: "zero-when-no-subscriber"
  }),
  "list.pageSize": row(["limit", "returned"], {
    ...parameter("pageSize", "page size"),
    question: "Value of `pageSize` on a page that is not full",
    observed: "limit"
  }),
  "list.retention": row(["none", "24h", "7d", "30d", "90d"], {
    section: "Limits",
    sentence: "the concrete date range allowed by the plan: not shown.",
    decidedIn: "operations",
    question: "How far back events are listed",
    observed: "none",
    adversarial: "24h"
  }),
  "list.beyondRetention": row(["clamped", "402", "400"], {
    section: "Limits",
    sentence: "`after` default: earliest date allowed by the subscription plan",
    decidedIn: "operations",
    question: "Result when `after` is earlier than the plan allows",
    observed: "402",
    adversarial: "402"
  })
} as const
