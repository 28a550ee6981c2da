import * as Schema from "effect/Schema"

/**
 * The connections cannot be read, or one of them cannot be used.
 *
 * The message is one line that names the file, the place in it, what is wrong and what is allowed; never a key.
 */
export class ConfigError extends Schema.TaggedError<ConfigError>()("ConfigError", {
  /** The configuration file. */
  path: Schema.String,
  /** Where in the file, as the keys from the top: `connections.eu.baseUrl`; empty for the file as a whole. */
  place: Schema.String,
  /** The issue, and the allowed values. */
  problem: Schema.String
}) {
  override get message(): string {
    return this.place === "" ? `${this.path}: ${this.problem}` : `${this.path}: ${this.place}: ${this.problem}`
  }
}
