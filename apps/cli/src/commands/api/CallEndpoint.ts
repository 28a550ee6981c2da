import { Calls } from "@signalbox/core/Calls"
import type { RequestParts } from "@signalbox/core/DeclaredOperation"
import { isPlainPath } from "@signalbox/core/internal/contract/PathTemplate"
import { secretsUnderNames } from "@signalbox/core/internal/errors/SecretPositions"
import type { Method } from "@signalbox/core/Operations"
import { makeSecretRemoval } from "@signalbox/core/Redaction"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { chooseConnection, confirmWrite, onConnection, requireWritable } from "../../connection/Connection.ts"
import { FailedRequest, UsageError, usage } from "../../failure/CommandError.ts"
import type { KeyValue } from "../../flags/Flags.ts"
import { readText } from "../../flags/TextFile.ts"
import type { Listing } from "../../output/Listing.ts"
import { openOutput } from "../../output/Output.ts"
import type { ApiInput } from "./Api.ts"

const listing: Listing<unknown> = { fields: {}, columns: [] }

/** The values of each name, in the order of the names. */
const groupedBy = (fields: ReadonlyArray<KeyValue>, nameOf: (key: string) => string) => {
  const groups = new Map<string, Array<KeyValue>>()
  for (const field of fields) {
    const name = nameOf(field[0])
    groups.set(name, [...(groups.get(name) ?? []), field])
  }
  return [...groups]
}

/** The value of a key, or the list of its values where it is given more than once. */
const valueOf = (fields: ReadonlyArray<KeyValue>): string | ReadonlyArray<string> => {
  const values = fields.map(([, value]) => value)
  const [first] = values
  return first === undefined || values.length > 1 ? values : first
}

const queryOf = (fields: ReadonlyArray<KeyValue>): Readonly<Record<string, string | ReadonlyArray<string>>> =>
  Object.fromEntries(groupedBy(fields, (key) => key).map(([key, own]) => [key, valueOf(own)]))

/** The object of fields: `to.id` is the field `id` of the object `to`. */
const objectOf = (fields: ReadonlyArray<KeyValue>): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    groupedBy(fields, (key) => key.replace(/\..*$/su, "")).map(([name, own]) => {
      const inner = own.flatMap(([key, value]) => (key === name ? [] : [[key.slice(name.length + 1), value] as const]))
      return [name, inner.length === 0 ? valueOf(own) : objectOf(inner)]
    })
  )

/** Whether a key is also the start of another one. */
const isAmbiguous = ([key]: KeyValue, _: number, fields: ReadonlyArray<KeyValue>): boolean =>
  fields.some(([other]) => other.startsWith(`${key}.`))

const readBody = (file: string) =>
  Effect.flatMap(readText("input", file), (text) =>
    Effect.try({
      try: () => JSON.parse(text) as unknown,
      // The message of the parser quotes the text, which can have secrets.
      catch: () => new UsageError({ message: `--input: ${file === "-" ? "stdin" : file} is not valid JSON` })
    })
  )

/** The query and the body of the request. */
const partsOf = Effect.fnUntraced(function* ({ fields, input, method }: ApiInput) {
  if (method === "GET" && Option.isSome(input)) return yield* usage("--input: a GET has no body; give -f NAME=VALUE")
  if (method === "GET") return { query: queryOf(fields) }
  if (Option.isSome(input)) return { query: queryOf(fields), body: yield* readBody(input.value) }
  const ambiguous = fields.find(isAmbiguous)
  if (ambiguous !== undefined) return yield* usage(`--field: ${ambiguous[0]} is given as a value and as an object`)
  return fields.length === 0 ? {} : { body: objectOf(fields) }
})

/** The records of a list or a page; any other response is one record. */
const recordsOf = (body: unknown): ReadonlyArray<unknown> => {
  const list = Array.isArray(body) ? body : Object(body).data
  if (Array.isArray(list)) return list
  return body === undefined ? [] : [body]
}

/** Sends a request to an endpoint. */
export const callEndpoint = Effect.fnUntraced(function* (input: ApiInput) {
  const { method, paginate, path, quiet, yes } = input
  if (!isPlainPath(path)) {
    return yield* usage(
      `<path> is "${path}"; expected a percent-encoded path such as /v1/topics; query parameters are -f NAME=VALUE`
    )
  }
  if (paginate && method !== "GET") return yield* usage("--paginate needs a GET")
  const output = yield* openOutput(listing, {
    quiet,
    json: true,
    csv: false,
    table: false,
    utc: false,
    fields: Option.none()
  })
  const connection = yield* chooseConnection(input)
  if (method !== "GET") yield* requireWritable(connection)
  const parts = yield* partsOf(input)
  const remove = makeSecretRemoval(secretsUnderNames(parts))
  const first = Number(parts.query?.["page"] ?? 0)
  if (paginate && !Number.isInteger(first)) return yield* usage("--paginate: page must be a whole number")
  if (method !== "GET") yield* confirmWrite(connection, `${method} ${path}`, yes)
  yield* Effect.gen(function* () {
    const calls = yield* Calls
    let request: RequestParts<"/"> = parts
    for (let page = first; ; page += 1) {
      const body = yield* calls.request<Method>(method, path as `/${string}`, request) // checked above
      const records = recordsOf(body)
      yield* output.rows(records.map((record): unknown => JSON.parse(remove(JSON.stringify(record)))))
      if (!paginate) return
      const { hasMore } = Object(body)
      if (typeof hasMore !== "boolean") {
        return yield* output.note("No other page was requested: the response has no hasMore")
      }
      if (!hasMore || records.length === 0) return
      request = { query: { ...parts.query, page: page + 1 } }
    }
  }).pipe(
    onConnection(connection),
    Effect.mapError((error) =>
      error._tag === "CallError" ? new FailedRequest({ error, request: `${method} ${path}` }) : error
    )
  )
})
