import { startExport } from "@signalbox/bulk"
import { chips, local, toQuery } from "@signalbox/operator/filter/Filter"
import { isFilterKey } from "@signalbox/operator/filter/FilterKey"
import { shellWord } from "@signalbox/operator/report/Curl"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { chooseConnection, confirmAction } from "../../connection/Connection.ts"
import { usage, UsageError } from "../../failure/CommandError.ts"
import { readFilter, withSince } from "../events/FilterArgument.ts"
import type { ExportInput } from "./BulkFlags.ts"
import { placeOf, workOver } from "./RunCommand.ts"

/** Writes events to a file. */
export const exportEvents = Effect.fnUntraced(function* (input: ExportInput) {
  const { file } = input
  if (Option.isSome(input.database)) {
    return yield* usage("workers do no exports; run bulk export without --database")
  }
  const [key = ""] = file.split(":")
  if (key !== file && isFilterKey(key)) {
    return yield* usage(`"${file}" is a filter; name the file first: bulk export FILE ${file}`)
  }
  if (/\.csv$/iu.test(file)) {
    return yield* new UsageError({
      message: `an export is NDJSON, one JSON object per line; name the file ${file.slice(0, -4)}.ndjson`
    })
  }
  const words = yield* withSince(input.filter, input.since)
  const filter = yield* readFilter(words)
  const [computed] = chips({ clauses: local(filter) })
  if (computed !== undefined) {
    return yield* new UsageError({
      message: `filter "${computed}": the service cannot filter by this, and an export has no causes and results; use: signalbox events list --all --json ${words.map((word) => shellWord(word)).join(" ")}`
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
