import * as Flag from "effect/cli/Flag"
import type * as Option from "effect/Option"

/** The flags of every command that prints records. */
export const outputFlags = {
  json: Flag.Boolean("json").pipe(
    Flag.withDefault(false),
    Flag.withDescription("Print NDJSON: one JSON object per line. This is the default when stdout is not a terminal.")
  ),
  csv: Flag.Boolean("csv").pipe(Flag.withDefault(false), Flag.withDescription("Print CSV with a header line.")),
  fields: Flag.String("fields").pipe(
    Flag.withMetavar("A,B"),
    Flag.optional,
    Flag.withDescription(
      "Print only these fields, in this order; also parts of the JSON record, such as subscriber.email, jobs.providerId or .payload."
    )
  ),
  utc: Flag.Boolean("utc").pipe(
    Flag.withDefault(false),
    Flag.withDescription("Print the times of tables in UTC instead of the zone of this machine.")
  ),
  quiet: Flag.Boolean("quiet").pipe(
    Flag.withAlias("q"),
    Flag.withDefault(false),
    Flag.withDescription("Print no notes or progress on stderr.")
  )
}

/** The values of {@link outputFlags}. */
export interface OutputOptions {
  readonly json: boolean
  readonly csv: boolean
  readonly fields: Option.Option<string>
  readonly utc: boolean
  readonly quiet: boolean
}
