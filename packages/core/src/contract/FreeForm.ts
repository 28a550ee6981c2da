/**
 * Objects whose fields the API document does not show.
 *
 * **When to use**: in a schema of the contract, where the document says "free-form" or "not shown".
 */
import * as Schema from "effect/Schema"

/**
 * An object with string keys and any values, kept unchanged.
 *
 * Used where the document says "free-form", and where it says that an object's fields are "not shown".
 */
export const FreeForm = Schema.Record(Schema.String, Schema.Unknown)
