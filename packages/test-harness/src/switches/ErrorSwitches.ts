import { rowsAbout } from "./SwitchRow.ts"

const errors = rowsAbout(
  "Errors",
  "Error status codes, error body shape and error conditions (for example unknown subscriber, invalid `markAs`, missing key): not shown."
)

export const errorSwitches = {
  "error.body": errors("Shape of an error body", ["message", "observed", "problem", "nested", "empty"], "observed"),
  "error.problems": errors(
    "Whether a rejection of bad input reports its first problem, or all problems of all fields",
    ["first", "all"],
    "all"
  ),
  "credentials.unknownSubscriber": errors(
    "Result of upserting credentials for a subscriber that does not exist",
    ["404", "400", "422", "create"],
    "400"
  ),
  "credentials.missingIntegration": errors(
    "Result of upserting credentials when the provider has no active integration",
    ["400", "404", "422", "store"],
    "400"
  ),
  "credentials.badBody": errors(
    "Status when the provider, credentials or integration identifier is missing or has the wrong type",
    ["400", "422"],
    "422"
  ),
  "credentials.innerTypes": errors(
    "Handling of a field of `credentials` with the wrong type; `stored` stores it, but for `deviceTokens` that is no list and no string (500)",
    ["refused", "ignored", "500", "stored"],
    "stored",
    { adversarial: "500" }
  ),
  "credentials.nullFields": errors(
    "Handling of a field of `credentials` that is null",
    ["refused", "ignored", "cleared"],
    "ignored"
  ),
  "credentials.identifierEmpty": errors(
    "Handling of an `integrationIdentifier` that is empty or null",
    ["refused", "ignored"],
    "ignored"
  ),
  "mark.unknownSubscriber": errors(
    "Result of marking messages of a subscriber that does not exist",
    ["404", "400", "422", "empty"],
    "404"
  ),
  "mark.badMarkAs": errors("Status when `markAs` is missing or not one of the four values", ["400", "422"], "422"),
  "mark.badMessageId": rowsAbout(
    "Endpoints, Update notifications state",
    "identifier(s) of the in-app notification messages (database-style object ids)"
  )("Handling of a message id that is a string but not an object id", ["ignored", "400", "422"], "422"),
  "mark.noMessageId": errors("Result when `messageId` is an empty array", ["400", "422", "empty"], "422", {
    observedBefore: { date: "2025-10-24", value: "400" }
  }),
  "request.unknownField": errors(
    "Handling of a body field that the document does not define",
    ["ignored", "400", "422"],
    "ignored"
  )
} as const
