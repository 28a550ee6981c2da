/** A call on a client after `close()`; nothing was sent. */
export class ClientClosed extends Error {
  override readonly name = "ClientClosed"
  readonly _tag = "ClientClosed"

  constructor() {
    super("The client was closed, so nothing was sent; make a new one with createClient.")
  }
}
