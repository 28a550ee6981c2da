// Where secrets, appended lists and identifiers are in the requests and responses of each operation. One constant for each:
// a bundle keeps those of the operations that it has.
// Generated from the marks of the contract by `pnpm --filter @signalbox/core run readers`; a test compares the two.

/** Where they are in `credentials.upsert`. */
export const credentialsUpsertPositions = {"secrets":[["credentials","webhookUrl"],["credentials","deviceTokens","*"]],"appends":[["credentials","deviceTokens"]],"identifiers":{"request":[["providerId"]],"response":[["channels","*","providerId"]]}} as const

/** Where they are in `messages.markAs`. */
export const messagesMarkAsPositions = {"secrets":[],"appends":[],"identifiers":{"request":[],"response":[["*","subscriber","channels","*","providerId"],["*","providerId"]]}} as const

/** Where they are in `events.list`. */
export const eventsListPositions = {"secrets":[],"appends":[],"identifiers":{"request":[],"response":[["data","*","template","origin"],["data","*","jobs","*","executionDetails","*","providerId"],["data","*","jobs","*","providerId"]]}} as const

/**
 * The name of an operation, from which all other names are derived. Written out, because the declarations of the SDK would
 * otherwise have the table of facts.
 */
export type OperationName = "credentials.upsert" | "messages.markAs" | "events.list"

/** The names of the operations. */
export const operationNames: ReadonlyArray<OperationName> = ["credentials.upsert","messages.markAs","events.list"]

/** Where they are, by the name of the operation. */
export const positions = {
  "credentials.upsert": credentialsUpsertPositions,
  "messages.markAs": messagesMarkAsPositions,
  "events.list": eventsListPositions
} as const
