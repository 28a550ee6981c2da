/**
 * Switches for the errors that operations return.
 */
import { row } from "./SwitchRow.ts"

const errors = {
  section: "Errors",
  sentence:
    "Error status codes, error body shape and error conditions (for example unknown subscriber, invalid `markAs`, missing key): not shown.",
  decidedIn: "operations"
} as const

/** Rows about errors. */
export const errorSwitches = {
  "error.body": row(["message", "observed", "problem", "nested", "empty"], {
    ...errors,
    question: "Shape of an error body",
    observed: "observed"
  }),
  "error.problems": row(["first", "all"], {
    ...errors,
    question: "Whether a rejection of bad input reports its first problem, or all problems of all fields",
    observed: "all"
  }),
  "credentials.unknownSubscriber": row(["404", "400", "422", "create"], {
    ...errors,
    question: "Result of upserting credentials for a subscriber that does not exist",
    observed: "400"
  }),
  "credentials.missingIntegration": row(["400", "404", "422", "store"], {
    ...errors,
    question: "Result of upserting credentials when the provider has no active integration",
    observed: "400"
  }),
  "credentials.badBody": row(["400", "422"], {
    ...errors,
    question: "Status when the provider, credentials or integration identifier is missing or has the wrong type",
    observed: "422"
  }),
  "credentials.innerTypes": row(["refused", "ignored", "500", "stored"], {
    ...errors,
    question:
      "Handling of a field of `credentials` with the wrong type; `stored` stores it, but for `deviceTokens` that is no list and no string (500)",
    observed: "stored",
    adversarial: "500"
  }),
  "credentials.nullFields": row(["refused", "ignored", "cleared"], {
    ...errors,
    question: "Handling of a field of `credentials` that is null",
    observed: "ignored"
  }),
  "credentials.identifierEmpty": row(["refused", "ignored"], {
    ...errors,
    question: "Handling of an `integrationIdentifier` that is empty or null",
    observed: "ignored"
  }),
  "mark.unknownSubscriber": row(["404", "400", "422", "empty"], {
    ...errors,
    question: "Result of marking messages of a subscriber that does not exist",
    observed: "404"
  }),
  "mark.badMarkAs": row(["400", "422"], {
    ...errors,
    question: "Status when `markAs` is missing or not one of the four values",
    observed: "422"
  }),
  "mark.badMessageId": row(["ignored", "400", "422"], {
    section: "Endpoints, Update notifications state",
    sentence: "identifier(s) of the in-app notification messages (database-style object ids)",
    decidedIn: "operations",
    question: "Handling of a message id that is a string but not an object id",
    observed: "422"
  }),
  "mark.noMessageId": row(["400", "422", "empty"], {
    ...errors,
    question: "Result when `messageId` is an empty array",
    observed: "422",
    observedBefore: { date: "2025-10-24", value: "400" }
  }),
  "request.unknownField": row(["ignored", "400", "422"], {
    ...errors,
    question: "Handling of a body field that the document does not define",
    observed: "ignored"
  })
} as const
