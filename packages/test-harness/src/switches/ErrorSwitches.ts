/**
 * Switches of refusals that the operations decide.
 */
import { row } from "./SwitchRow.ts"

const errors = {
  section: "Errors",
  sentence:
    "Error status codes, error body shape and error conditions (for example unknown subscriber, invalid `markAs`, missing key): not shown.",
  decidedIn: "operations"
} as const

/** Rows about refusals. */
export const errorSwitches = {
  "error.body": row(["message", "observed", "problem", "nested", "empty"], {
    ...errors,
    question: "Shape of an error body",
    document: "message",
    observed: "observed"
  }),
  "credentials.unknownSubscriber": row(["404", "400", "422", "create"], {
    ...errors,
    question: "Credentials are upserted for a subscriber that does not exist",
    document: "404",
    observed: "400"
  }),
  "credentials.missingIntegration": row(["400", "404", "422", "store"], {
    ...errors,
    question: "The environment has no active integration of the provider",
    document: "400",
    observed: "400"
  }),
  "credentials.badBody": row(["400", "422"], {
    ...errors,
    question: "Status when provider, credentials or integration identifier are missing or of a wrong type",
    document: "400",
    observed: "422"
  }),
  "credentials.innerTypes": row(["refused", "ignored", "500"], {
    ...errors,
    question: "A field inside `credentials` has a wrong type",
    document: "refused",
    observed: "500"
  }),
  "credentials.nullFields": row(["refused", "ignored", "cleared"], {
    ...errors,
    question: "A field inside `credentials` is null",
    document: "refused",
    observed: "ignored"
  }),
  "mark.unknownSubscriber": row(["404", "400", "422", "empty"], {
    ...errors,
    question: "Messages of a subscriber that does not exist are marked",
    document: "404",
    observed: "404"
  }),
  "mark.badMarkAs": row(["400", "422"], {
    ...errors,
    question: "Status when `markAs` is missing or none of the four values",
    document: "400",
    observed: "422"
  }),
  "mark.badMessageId": row(["ignored", "400", "422"], {
    section: "Endpoints, Update notifications state",
    sentence: "identifier(s) of the in-app notification messages (database-style object ids)",
    decidedIn: "operations",
    question: "A message id is a string, but no object id",
    document: "ignored",
    observed: "422"
  }),
  "mark.noMessageId": row(["400", "422", "empty"], {
    ...errors,
    question: "`messageId` is an empty array",
    document: "400",
    observed: "422"
  }),
  "request.unknownField": row(["ignored", "400", "422"], {
    ...errors,
    question: "The body has a field that the document does not name",
    document: "ignored",
    observed: "ignored"
  })
} as const
