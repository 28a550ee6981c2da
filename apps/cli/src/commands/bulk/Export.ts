import { startExport } from "@signalbox/bulk"
import { localOnly, toQuery } from "@signalbox/operator/filter/Filter"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { chooseConnection, confirmAction } from "../../connection/Connection.ts"
import type { ConnectionOptions } from "../../connection/ConnectionFlags.ts"
import { UsageError } from "../../failure/CommandError.ts"
import type { OutputOptions } from "../../output/OutputFlags.ts"
import { readFilter } from "../events/FilterArgument.ts"
import type { MaxRateOptions } from "./MaxRateFlag.ts"
import { placeOf, workOver } from "./RunCommand.ts"

/** The input of `bulk export`. */
export interface ExportInput extends OutputOptions, ConnectionOptions, MaxRateOptions {
  readonly file: string
  readonly filter: ReadonlyArray<string>
  readonly withSecrets: boolean
  readonly yes: boolean
  readonly journalFolder: Option.Option<string>
  readonly database: Option.Option<string>
}

/** Writes events to a file. */
export const exportEvents = Effect.fnUntraced(function* (input: ExportInput) {
  const { file } = input
  if (Option.isSome(input.database)) {
    return yield* new UsageError({ message: "workers do no exports; run bulk export without --database" })
  }
  const filter = yield* readFilter(input.filter)
  if (localOnly(filter)) {
    return yield* new UsageError({
      message: `filter "${input.filter.join(" ")}": the service cannot filter by this; export more, and filter the file`
    })
  }
  const connection = yield* chooseConnection(input)
  const { withSecrets } = input
  if (withSecrets) yield* confirmAction(`write events of "${connection.name}" with their secrets to ${file}`, input.yes)
  const filters = toQuery(filter, yield* Clock.currentTimeMillis)
  const folder = Option.getOrUndefined(input.journalFolder)
  const options = { output: file, filters, folder, withSecrets, ...(yield* placeOf(connection)) }
  yield* workOver(connection, input, file, startExport(options))
})
