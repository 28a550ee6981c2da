/**
 * Reads responses with the schemas, from which the tables of the client are generated.
 */
import type { CallInfo } from "@signalbox/core/CallInfo"
import { isOperationName, type OperationName } from "@signalbox/core/Operations"
import * as Arr from "effect/Array"
import * as Result from "effect/Result"
import { isDeepStrictEqual } from "node:util"
// The schemas of operations and the readers by schema are outside of core's `src`: no program reads with them.
import { registry } from "../../../packages/core/Registry.ts"
import { makeSchemaReader } from "../../../packages/core/test/schema/SchemaReader.ts"
import type { Recording } from "./Recorder.ts"

/** The switch of a service whose responses have the ids by which calls are compared with them. */
export const requestIds = { "response.requestId": "x-request-id" } as const

const readers = new Map<string, ReturnType<typeof makeSchemaReader<unknown>>>()

/** Made once for a vendor: a run reads thousands of responses. */
const readerOf = (operation: OperationName, vendor: string) => {
  const key = `${vendor} ${operation}`
  const made = readers.get(key) ?? makeSchemaReader<unknown>(registry[operation], { vendor })
  readers.set(key, made)
  return made
}

/**
 * The value that the schemas read in the response of a successful call; `undefined` for a response that was not
 * recorded.
 */
const readBySchema = ({ operation, requestId }: CallInfo, { watch }: Recording, vendor: string) => {
  const text = watch.responses.find((response) => response.requestId === requestId)?.text
  return text === undefined || !isOperationName(operation) ? undefined : readerOf(operation, vendor)(JSON.parse(text))
}

/** Findings about calls that read something else in a response than the schemas do. */
export const wrongReadings = (recording: Recording, vendor: string): ReadonlyArray<string> => {
  const differs = (info: CallInfo): boolean => {
    const read = readBySchema(info, recording, vendor)
    if (read === undefined) return false
    if (Result.isFailure(read)) return true
    const { drift, driftCount, unreadable } = read.success
    return (
      info.driftCount !== driftCount ||
      !isDeepStrictEqual(info.drift, drift.slice(0, info.drift.length)) ||
      !isDeepStrictEqual(info.unreadable, unreadable)
    )
  }
  return recording.infos.some(differs) ? ["reports drift that differs from what the schemas read"] : []
}

/** Whether the value of a single call is the one that the schemas read. */
export const isAsReadBySchema = (value: unknown, recording: Recording, vendor: string): boolean =>
  recording.infos.every((info) => {
    const read = readBySchema(info, recording, vendor)
    return read === undefined || (Result.isSuccess(read) && isDeepStrictEqual(value, read.success.value))
  })

/** The records that differ from those that the schemas read in these responses, which have some with the same id. */
export const differingRecords = <Record extends { readonly _id?: string }>(
  records: ReadonlyArray<Record>,
  responses: ReadonlyArray<readonly [OperationName, string]>
): ReadonlyArray<Record> => {
  const read = responses.flatMap(([operation, text]): ReadonlyArray<unknown> => {
    const found = readerOf(operation, "service")(JSON.parse(text))
    const value: unknown = Result.isSuccess(found) ? found.success.value : undefined
    const data: unknown = Reflect.get(Object(value), "data") ?? value
    return Array.isArray(data) ? data : []
  })
  const known = Arr.groupBy(read, (record) => String(Reflect.get(Object(record), "_id")))
  return records.filter((record) => known[String(record._id)]?.some((one) => isDeepStrictEqual(one, record)) !== true)
}
