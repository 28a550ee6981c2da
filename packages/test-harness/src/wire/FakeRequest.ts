/**
 * A request in the common form that all three surfaces use.
 */

export type Surface = "layer" | "fetch" | "server"

export interface FakeRequest {
  readonly surface: Surface
  readonly method: string
  /** Path of the URL, still percent-encoded. */
  readonly path: string
  /** Query of the URL without the question mark; empty if the URL has no query. */
  readonly query: string
  /** The value of a header by its lower-case name; several values are joined by `, `. */
  readonly header: (name: string) => string | undefined
  /** All headers with lower-case names; read only when somebody looks. */
  readonly headers: () => Iterable<readonly [name: string, value: string]>
  readonly body: string
}
