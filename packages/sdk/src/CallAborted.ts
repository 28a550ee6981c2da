/** A call whose signal was aborted; only `.result` hands it over, a plain call rejects with the signal's own reason. */
export class CallAborted extends Error {
  override readonly name = "CallAborted"
  readonly _tag = "CallAborted"
  /** The reason of the signal. */
  readonly reason: unknown

  constructor(reason: unknown) {
    super("The signal of the call was aborted; whether the service did the work is not known.")
    this.reason = reason
  }
}
