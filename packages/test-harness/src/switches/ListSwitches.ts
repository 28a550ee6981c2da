import { rowsAbout } from "./SwitchRow.ts"

const filters = rowsAbout(
  "Endpoints, List all events",
  "How several filters combine, and the wire encoding of array parameters: not shown."
)

const errors = rowsAbout("Errors", "Error status codes, error body shape and error conditions: not shown.")

const parameter = (name: string, meaning: string) => rowsAbout("Endpoints, List all events", `${name}: ${meaning}`)

export const listSwitches = {
  "list.arrayEncoding": filters(
    "Accepted encodings of array parameters: `a=1&a=2`, `a[]=1`, `a[0]=1`, `a=1,2`",
    ["repeat-brackets-indices", "repeat", "brackets", "indices", "comma", "any"],
    "repeat-brackets-indices",
    { adversarial: "repeat" }
  ),
  "list.nested": filters(
    "Handling of brackets in the name of a parameter that takes one value (`search[]=a`), or around a name (`emails[a]=b`): an unknown parameter, or a list or object as its value",
    ["ignored", "read"],
    "read"
  ),
  "list.valueLimit": filters(
    "How many values of one parameter are a list; more are an object, which no parameter takes",
    ["none", "20"],
    "20"
  ),
  "list.repeated": errors(
    "Handling of a second value of `page`, `limit`, `search`, `after` or `before`",
    ["last", "400", "422"],
    "422"
  ),
  "list.subscriptionId": errors(
    "Handling of `subscriptionId`, a filter by topic subscription that is newer than the document",
    ["filters", "ignored", "400", "422"],
    "filters",
    { document: "400" }
  ),
  "list.empty": filters(
    "Meaning of an empty parameter, such as `channels=`: an empty value, or no filter (0 for a number)",
    ["value", "no-filter"],
    "no-filter"
  ),
  "list.channels": parameter("channels", "channels")(
    "Values of `channels` that are known: all job types, or the channels that messages are sent by",
    ["job-types", "message-channels"],
    "message-channels"
  ),
  "list.filters": filters("Whether a record must match all filters or any of them", ["all", "any"], "all", {
    adversarial: "all"
  }),
  "list.subscriberFilters": filters(
    "Whether a subscriber must match all of `emails`, `subscriberIds` and `search`, or any of the three",
    ["all", "any"],
    "any"
  ),
  "list.order": parameter("data", "the records")(
    "Order of the records",
    ["newest-first", "oldest-first"],
    "newest-first",
    { adversarial: "newest-first" }
  ),
  "list.ties": parameter("data", "the records")(
    "Order of records with the same timestamp",
    ["last-inserted-first", "first-inserted-first", "shuffled"],
    "first-inserted-first"
  ),
  "list.after": parameter("after", "only records after this timestamp")(
    "Whether `after` is inclusive",
    ["exclusive", "inclusive"],
    "inclusive"
  ),
  "list.before": parameter("before", "only records before this timestamp")(
    "Whether `before` is inclusive",
    ["exclusive", "inclusive"],
    "inclusive"
  ),
  "list.dateFormats": rowsAbout("Conventions", "Timestamps are strings (ISO 8601 where stated).")(
    "Accepted date formats: ISO 8601 only, or anything that JavaScript can parse",
    ["iso", "any"],
    "any",
    { adversarial: "iso" }
  ),
  "list.badDate": errors("Handling of an invalid date", ["400", "422", "ignored"], "400"),
  "list.reversedRange": errors("Result when `after` is later than `before`", ["empty", "400"], "400"),
  "list.badLimit": rowsAbout("Limits", "`limit`: default 10, minimum 1, maximum 50")(
    "Handling of an invalid `limit`: 0, 51, 1.5 or not a number",
    ["400", "422", "clamped"],
    "422"
  ),
  "list.badPage": rowsAbout("Limits", "`page`: default 0, minimum 0")(
    "Handling of an invalid `page`: -1, 1.5 or not a number",
    ["400", "422", "clamped"],
    "422"
  ),
  "list.badChannel": errors("Handling of an unknown value of `channels`", ["no-match", "400", "422"], "422"),
  "list.badTemplate": errors(
    "Handling of a value of `templates` that is not an object id",
    ["no-match", "400", "422"],
    "422"
  ),
  "list.badSeverity": errors(
    "Handling of a value of `severity` that is not a severity level",
    ["no-match", "400", "422"],
    "422"
  ),
  "list.unknownParameter": errors(
    "Handling of a query parameter that the document does not define",
    ["ignored", "400", "422"],
    "ignored"
  ),
  "list.transactionIdRepeated": parameter("transactionId", "filter by transaction id")(
    "Handling of a request with two values of `transactionId`",
    ["any-of", "last", "400", "422"],
    "any-of",
    { document: "400" }
  ),
  "list.topicKeyRepeated": parameter("topicKey", "filter notifications by topic key")(
    "Handling of a request with two values of `topicKey`",
    ["any-of", "last", "400", "422"],
    "422",
    { document: "400" }
  ),
  "list.search": parameter("search", "deprecated search term")(
    "What the deprecated `search` parameter matches: part of the email address or the whole id; also the names; nothing",
    ["email-or-id", "name-email-or-id", "ignored"],
    "email-or-id"
  ),
  "list.contextKeys": parameter("contextKeys", "exact context keys, format `type:id`")(
    "How a filter with several context keys matches",
    ["exact-set", "any-of", "all-of", "ignored"],
    "exact-set",
    { adversarial: "any-of" }
  ),
  "list.contextKeysEmpty": parameter("contextKeys", "exact context keys, format `type:id`")(
    "Meaning of an empty `contextKeys=`",
    ["no-filter", "without-context"],
    "without-context"
  ),
  "list.severityNone": parameter("severity", "severity levels, or a single level")(
    "Whether the severity `none` matches records without a severity",
    ["exact", "matches-absent"],
    "matches-absent"
  ),
  "list.hasMore": parameter("hasMore", "more records exist in the result set")(
    "Value of `hasMore` on a last page that is full",
    ["exact", "full-page"],
    "full-page"
  ),
  "list.emptyPage": parameter("page", "current page")(
    "Value of `page` in a response without records",
    ["asked", "zero-when-no-subscriber", "zero"],
    "zero-when-no-subscriber"
  ),
  "list.pageSize": parameter("pageSize", "page size")(
    "Value of `pageSize` on a page that is not full",
    ["limit", "returned"],
    "limit"
  ),
  "list.retention": rowsAbout("Limits", "the concrete date range allowed by the plan: not shown.")(
    "How far back events are listed",
    ["none", "24h", "7d", "30d", "90d"],
    "none",
    { adversarial: "24h" }
  ),
  "list.beyondRetention": rowsAbout("Limits", "`after` default: earliest date allowed by the subscription plan")(
    "Result when `after` is earlier than the plan allows",
    ["clamped", "402", "400"],
    "402",
    { adversarial: "402" }
  )
} as const
