/** An option that cannot work; its message names the option and the rule, never a value. */
export class ClientOptionError extends Error {
  override readonly name = "ClientOptionError"
  readonly _tag = "ClientOptionError"
  /** The option that is wrong, for example `timeouts.attemptMs`. */
  readonly option: string
  /** The rule that the value must follow. */
  readonly rule: string

  constructor(option: string, rule: string) {
    super(`${option}: ${rule}`)
    this.option = option
    this.rule = rule
  }
}
