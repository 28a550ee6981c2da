// Generated from the marks of the contract by `pnpm --filter @signalbox/core run readers`; a test compares the two.

/** Where secrets, appended lists and identifiers are in the requests and responses of each operation. */
export const positions = {
  "credentials.upsert": {"secrets":[["credentials","webhookUrl"],["credentials","deviceTokens","*"]],"appends":[["credentials","deviceTokens"]],"identifiers":{"request":[["providerId"]],"response":[["channels","*","providerId"]]}},
  "messages.markAs": {"secrets":[],"appends":[],"identifiers":{"request":[],"response":[["*","subscriber","channels","*","providerId"],["*","providerId"]]}},
  "events.list": {"secrets":[],"appends":[],"identifiers":{"request":[],"response":[["data","*","template","origin"],["data","*","jobs","*","executionDetails","*","providerId"],["data","*","jobs","*","providerId"]]}}
} as const
