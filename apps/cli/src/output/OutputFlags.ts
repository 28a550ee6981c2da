import type * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { type Zone, zoneIn } from "@signalbox/operator/text/Zone"
import { switchFlag, textFlag } from "../flags/Flags.ts"

/** The flags of every command that prints records. */
export const outputFlags = {
  json: switchFlag(
    "json",
    "Print NDJSON: one JSON object per line. This is the default when stdout is not a terminal."
  ),
  csv: switchFlag("csv", "Print CSV with a header line; a cell that a spreadsheet would run starts with '."),
  table: switchFlag("table", "Print a table also when stdout is not a terminal, with whole values and no colours."),
  fields: textFlag(
    "fields",
    "A,B",
    "Print only these fields, in this order; also names and parts of the JSON record: transactionId, subscriber.email, jobs.providerId. A dot in front means the record: .subscriber."
  ),
  utc: switchFlag(
    "utc",
    "Print the times of tables in UTC instead of the zone of this machine. Times in filters are in UTC unless they end with an offset, such as -05:00."
  ),
  quiet: switchFlag("quiet", "Print no notes or progress on stderr, only warnings and errors.").pipe(
    Flag.withAlias("q")
  )
}

/** The values of {@link outputFlags}. */
export type OutputOptions = Command.Command.Config.Infer<typeof outputFlags>

/** The time zone of tables; JSON and CSV have the service's own times, in UTC. */
export const zoneFor = ({ utc }: Pick<OutputOptions, "utc">, now: number): Zone => zoneIn(utc ? "utc" : "local", now)
