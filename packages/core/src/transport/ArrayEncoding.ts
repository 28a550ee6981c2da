/**
 * How a filter with several values is written in the query; the API document does not show which form is right.
 *
 * **When to use**: to offer the choice in the settings of an application.
 *
 * @since 0.1.0
 */

/** The forms of a filter with several values. */
export const arrayEncodings = ["repeat", "brackets", "indices", "comma"] as const

/**
 * How a filter with several values is written in the query.
 *
 * `repeat`: `a=x&a=y`, `brackets`: `a[]=x&a[]=y`, `indices`: `a[0]=x&a[1]=y`, `comma`: `a=x,y`.
 */
export type ArrayEncoding = (typeof arrayEncodings)[number]
