/**
 * Answers that cannot have a body.
 */

/** Their statuses. */
export const bodiless: ReadonlySet<number> = new Set([204, 205, 304])
