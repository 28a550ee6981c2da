import * as Arr from "effect/Array"
import { commonReasons, type Reason, writeReasons } from "../../src/errors/Reason.ts"
import { callKinds, isRetried, mayHaveBeenApplied, type Outcome, outcomes, reasonFor } from "./Outcomes.ts"

const row = (cells: ReadonlyArray<string>): string => `| ${cells.join(" | ")} |`

const table = (head: ReadonlyArray<string>, rows: ReadonlyArray<ReadonlyArray<string>>): string =>
  [row(head), row(head.map(() => "---")), ...rows.map(row)].join("\n")

interface DescribedReason {
  readonly tag: Reason["_tag"]
  readonly when: string
  readonly todo: string
  readonly onlyWrites?: true
}

const reasons: ReadonlyArray<DescribedReason> = [
  {
    tag: "InvalidRequest",
    when: "The client rejected the input. Nothing was sent.",
    todo: "Correct the input: `fields` lists each field with its path and the rule that it breaks."
  },
  {
    tag: "TransportFailure",
    when: "There was no response: the connection was refused, reset or closed. `delivery` is `not-sent` only when that is proven.",
    todo: "Follow `advice`: check the base URL and the network, the server's certificate or the port. After a write, check `mayHaveBeenApplied` before you retry."
  },
  {
    tag: "Timeout",
    when: "There was no complete response in time. `scope` says whether the limit of an attempt or of the call has passed.",
    todo: "Retry, or allow more time. After a write, check `mayHaveBeenApplied` before you retry."
  },
  {
    tag: "Unauthorized",
    when: "Status 401.",
    todo: "Check the API key, and that it belongs to this base URL."
  },
  {
    tag: "PaymentRequired",
    when: "Status 402, for example for dates before those that the plan keeps.",
    todo: "Stay within the limits of the environment's plan."
  },
  { tag: "Forbidden", when: "Status 403.", todo: "Use an API key that is allowed to do this." },
  {
    tag: "NotFound",
    when: "Status 404, for example for an unknown subscriber.",
    todo: "Check the identifiers, and the environment of the API key."
  },
  { tag: "PayloadTooLarge", when: "Status 413.", todo: "Send less in one request." },
  {
    tag: "RequestInFlight",
    when: "Status 409 with `Retry-After`: a request with the same idempotency key is being processed.",
    todo: "Wait for the time in `Retry-After`, then retry with the same key.",
    onlyWrites: true
  },
  {
    tag: "IdempotencyKeyReused",
    when: "Status 422 with a message that names the key: the key was used for another request.",
    todo: "Use a new key for a new request.",
    onlyWrites: true
  },
  {
    tag: "Conflict",
    when: "Status 409 otherwise.",
    todo: "Read the current state first."
  },
  {
    tag: "Rejected",
    when: "Status 400, 405, 408, 414, 415, 422, 425 and other 4xx.",
    todo: "Correct the request as the response says. `fields` lists fields when the body has a known shape. After 408 and 425, retry later."
  },
  {
    tag: "RateLimited",
    when: "Status 429, or not sent because the rate limit is exhausted.",
    todo: "Wait `retryAfterMs`, and send fewer requests at a time."
  },
  {
    tag: "ServerFailure",
    when: "Status 5xx. `replayed` says that the service returned a stored response for the key.",
    todo: "Retry later. A replayed failure needs a new idempotency key."
  },
  {
    tag: "UnexpectedStatus",
    when: "Status 1xx or 3xx. Redirects are not followed.",
    todo: "Check that the base URL is the service's own."
  },
  {
    tag: "MalformedResponse",
    when: "A 2xx response that cannot be read. `accepted` says whether the service accepted a write; it is absent for a body without JSON, such as a login page, or with an error, which another server may have sent. `isCutOff` says that the connection broke before the end of the body.",
    todo: "Check the base URL. If the response policy is strict, read tolerantly. If the body is too large, raise `maxResponseBytes`. Do not retry a write that was accepted."
  }
]

const reasonRow = ({ onlyWrites, tag, todo, when }: DescribedReason): ReadonlyArray<string> => [
  `[\`${tag}\`](errors/${tag.toLowerCase()}.md)`,
  onlyWrites === true ? `${when} (writes only)` : when,
  todo
]

/** The tags of the reason classes; a test asserts that the table above lists each. */
export const tagsOfClasses: ReadonlyArray<string> = [...commonReasons, ...writeReasons].map(
  ({ prototype }) => prototype.name
)
export const tagsOfPage: ReadonlyArray<string> = reasons.map(({ tag }) => tag)

/** Which calls are retried, by whether each kind of call is. */
const retriedCalls: Readonly<Record<string, string>> = {
  "no no no no no": "no",
  "yes yes yes yes yes": "yes",
  "yes yes yes no yes": "yes, except device tokens",
  "no yes yes yes yes": "writes only"
}

const retriedOf = (outcome: Outcome): string => {
  const pattern = callKinds.map((kind) => (isRetried(outcome, kind) ? "yes" : "no")).join(" ")
  const calls = retriedCalls[pattern]
  if (calls === undefined) throw new Error(`${outcome.response}: no words for ${pattern}`)
  return outcome.isAnnounced === true && calls !== "no" ? calls.replace("yes", "waits") : calls
}

const reasonOf = (outcome: Outcome): string => {
  const [read, write] = [reasonFor(outcome, "events.list"), reasonFor(outcome, "credentials.upsert")]
  return read === write ? `\`${write}\`` : `\`${write}\` (\`${read}\` of a list)`
}

const responsesOf = (outcomes: ReadonlyArray<Outcome>): string =>
  Object.entries(Arr.groupBy(outcomes, reasonOf))
    .map(([reason, all]) => `${reason}: ${all.map(({ response }) => response.replace(/^none:? /, "")).join("; ")}`)
    .join("<br>")

/** The responses with the same consequence in one row. */
const retryRows = (): ReadonlyArray<ReadonlyArray<string>> => {
  const appliedOf = (outcome: Outcome) => (mayHaveBeenApplied(outcome, "credentials.upsert") ? "yes" : "no")
  const byConsequence = Arr.groupBy(outcomes, (outcome) => `${retriedOf(outcome)}, ${appliedOf(outcome)}`)
  return Object.values(byConsequence).map((same) => [retriedOf(same[0]), appliedOf(same[0]), responsesOf(same)])
}

/** The page, in Markdown. */
export const errorsPage = (): string =>
  `<!-- Generated from the table that the tests of @signalbox/core run: \`pnpm --filter @signalbox/core errors-page\`. -->

# Errors

Each operation fails with its own class: \`UpsertCredentialsError\`, \`MarkMessagesAsError\`, \`ListEventsError\`. An error has
a \`reason\` with a \`_tag\`, the log of its \`attempts\`, one piece of \`advice\`, and \`mayHaveBeenApplied\`: whether the service
may have applied the change, in this attempt or an earlier one.

## Reasons

Each reason has a page with its message and a program that provokes it.

${table(["Reason", "When", "What to do"], reasons.map(reasonRow))}

## Retries by response

The default policies retry a call at most twice, and only when a retry is safe and can succeed. _waits_: the service announced a
wait, so the call is retried until its deadline, without counting retries, in 100 attempts at most. Device tokens are an exception
because the service appends them: a retry could store them twice, unless the service honours idempotency keys.
For the delivery of requests without a response, see [delivery.md](delivery.md).

${table(["Retried", "May have been applied", "Reason and response"], retryRows())}
`
