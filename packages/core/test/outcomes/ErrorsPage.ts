import { commonReasons, type Reason, writeReasons } from "../../src/errors/Reason.ts"
import { callKinds, isRepeated, mayHaveBeenApplied, outcomes, reasonFor } from "./Outcomes.ts"

const row = (cells: ReadonlyArray<string>): string => `| ${cells.join(" | ")} |`

const table = (head: ReadonlyArray<string>, rows: ReadonlyArray<ReadonlyArray<string>>): string =>
  [row(head), row(head.map(() => "---")), ...rows.map(row)].join("\n")

const reasons: ReadonlyArray<{ readonly tag: Reason["_tag"]; readonly when: string; readonly onlyWrites: boolean }> = [
  { tag: "InvalidRequest", when: "refused by the client, nothing was sent", onlyWrites: false },
  { tag: "TransportFailure", when: "no answer", onlyWrites: false },
  { tag: "Timeout", when: "no complete answer in time", onlyWrites: false },
  { tag: "Unauthorized", when: "401", onlyWrites: false },
  { tag: "PaymentRequired", when: "402", onlyWrites: false },
  { tag: "Forbidden", when: "403", onlyWrites: false },
  { tag: "NotFound", when: "404", onlyWrites: false },
  { tag: "PayloadTooLarge", when: "413", onlyWrites: false },
  { tag: "RequestInFlight", when: "409 with `Retry-After` to a request with a key", onlyWrites: true },
  { tag: "IdempotencyKeyReused", when: "422 that names the key", onlyWrites: true },
  { tag: "Conflict", when: "any other 409", onlyWrites: false },
  { tag: "Rejected", when: "400, 405, 408, 414, 415, 422, 425 and other 4xx", onlyWrites: false },
  { tag: "RateLimited", when: "429, or held back by the client", onlyWrites: false },
  { tag: "ServerFailure", when: "5xx", onlyWrites: false },
  { tag: "UnexpectedStatus", when: "1xx, 3xx", onlyWrites: false },
  { tag: "MalformedResponse", when: "2xx that cannot be read", onlyWrites: false }
]

/** The tags of the reason classes; a test asserts that the table above lists each. */
export const tagsOfClasses: ReadonlyArray<string> = [...commonReasons, ...writeReasons].map(
  ({ prototype }) => prototype.name
)
export const tagsOfPage: ReadonlyArray<string> = reasons.map(({ tag }) => tag)

/** The page that says what every answer comes to. */
export const errorsPage = (): string =>
  `# Errors

Every operation fails with one class: \`UpsertCredentialsError\`, \`MarkMessagesAsError\`, \`ListEventsError\`. Its \`reason\`
says why, by \`_tag\`; its \`attempts\` say what was tried; its \`advice\` says what to do. Its \`mayHaveBeenApplied\` says whether the
service may have done the work of a write, by this attempt or an earlier one; where it is \`false\`, it did not.

This page is generated from the table that the tests of \`@signalbox/core\` run: \`pnpm --filter @signalbox/core errors-page\`.

## Reasons by operation

${table(
  ["Reason", "When", "events.list", "messages.markAs", "credentials.upsert"],
  reasons.map(({ onlyWrites, tag, when }) => [`\`${tag}\``, when, onlyWrites ? "" : "yes", "yes", "yes"])
)}

## What every answer comes to

"Repeated" is by the default policies: at most 2 repeats, and only when it is known to be harmless. *tokens* stands for a
credentials upsert with device tokens, which the service appends; *tokens, keys* for the same where the service is known
to honour idempotency keys. What is known after getting no answer at all is in [delivery.md](delivery.md).

${table(
  [
    "Answer",
    "Reason",
    "Reason of writes",
    "events.list",
    "messages.markAs",
    "credentials.upsert",
    "tokens",
    "tokens, keys",
    "A write may be done"
  ],
  outcomes.map((outcome) =>
    [
      outcome.answer,
      `\`${reasonFor(outcome, "events.list")}\``,
      `\`${reasonFor(outcome, "credentials.upsert")}\``
    ].concat(
      callKinds.map((kind) => (isRepeated(outcome, kind) ? "repeated" : "no")),
      mayHaveBeenApplied(outcome, "credentials.upsert") ? "yes" : "no"
    )
  )
)}
`
