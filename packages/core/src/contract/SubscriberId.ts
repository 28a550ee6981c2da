/**
 * The identifier of a subscriber in a path (API document: Endpoints).
 *
 * **When to use**: to check an identifier before it is stored; every call checks its own.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { forbiddenAnnotation } from "./Shape.ts"

const notPathSegments = ["", ".", ".."]

/**
 * Identifier of a subscriber in a path (API document: Endpoints).
 *
 * The empty string and the dot segments are valid strings and no valid path segments: a URL parser would resolve them
 * away and the request would reach another path.
 */
export const SubscriberId = Schema.String.check(
  Schema.makeFilter((id) => !notPathSegments.includes(id), {
    expected: `a subscriber id that is not "", "." or ".."`,
    [forbiddenAnnotation]: notPathSegments
  })
)
