import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { CallSpan } from "./CallSpan.ts"
import type { Method } from "../contract/Operations.ts"
import type { ArrayEncoding, ConnectionShape } from "../transport/Connection.ts"
import { IdempotencyPolicy } from "../policies/IdempotencyPolicy.ts"
import { base64FormsOf, secretsInHeaders } from "../errors/Redaction.ts"
import { MaxResponseBytes } from "../policies/Policies.ts"
import type { InvalidRequest } from "../errors/Reason.ts"
import type { TransportRequest } from "../transport/Transport.ts"
import { isJsonObject } from "../reading/JsonObject.ts"
import type { CheckedInput } from "./CheckedInput.ts"
import { type CallFailure, refused } from "./CallFailure.ts"
import { keyRule, makeKey } from "./IdempotencyKey.ts"
import type { CallClock } from "./CallClock.ts"

/** The parameter name of each element of an array; `comma` joins all elements into one value. */
const namings: Readonly<Record<Exclude<ArrayEncoding, "comma">, (name: string, index: number) => string>> = {
  repeat: (name) => name,
  brackets: (name) => `${name}[]`,
  indices: (name, index) => `${name}[${index}]`
}

const addSeveral = (
  query: URLSearchParams,
  name: string,
  values: ReadonlyArray<unknown>,
  encoding: ArrayEncoding
): void => {
  // No repeated name can express an array without elements; an empty value does.
  if (values.length === 0 || encoding === "comma") return query.append(name, values.join(","))
  for (const [index, value] of values.entries()) query.append(namings[encoding](name, index), String(value))
}

/** The query string with its question mark, without absent parameters; empty when there are no parameters. */
export const queryOf = (values: Readonly<Record<string, unknown>>, encoding: ArrayEncoding): string => {
  const query = new URLSearchParams()
  for (const name of Object.keys(values)) {
    const value = values[name]
    if (value === undefined) continue
    if (Array.isArray(value)) addSeveral(query, name, value, encoding)
    else query.append(name, String(value))
  }
  const text = query.toString()
  return text === "" ? "" : `?${text}`
}

/** A request that was checked and can be sent any number of times. */
export interface BuiltRequest {
  readonly request: TransportRequest
  /** The idempotency key that every attempt sends. */
  readonly key: string | undefined
  /** The secrets of this call. */
  readonly secrets: () => ReadonlyArray<string>
  /** Why applying it twice does harm, as a sentence; `undefined` when it is harmless. */
  readonly unsafeToRetry: string | undefined
  /** Names of the parameters of the query and the body. */
  readonly parameters: ReadonlyArray<string>
}

/** The values that a request depends on, apart from its input. */
interface Surroundings {
  readonly policies: Context.Context<never>
  readonly span: CallSpan | undefined
  readonly clock: CallClock
}

/** Builds the request of a call, except for the API key; fails with the issues of its input. */
export type BuildRequest = (
  input: CheckedInput,
  surroundings: Surroundings
) => Effect.Effect<
  (apiKey: string, ownHeaders: TransportRequest["headers"]) => BuiltRequest,
  CallFailure<InvalidRequest>
>

/** Headers with their names in lower case; of several spellings of a name, the last one counts. */
const inLowerCase = (headers: TransportRequest["headers"]): TransportRequest["headers"] =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))

/** Prepares the requests of one operation. */
export const makeBuildRequest = (method: Method, connection: ConnectionShape): BuildRequest => {
  const secretHeaders = secretsInHeaders(connection.headers)
  return ({ body: content, issues, secrets: ownSecrets, unsafeToRetry, ...input }, { clock, policies, span }) => {
    const { source } = Context.get(policies, IdempotencyPolicy)
    const wrongKey = source._tag === "fixed" ? keyRule(source.key) : undefined
    const allIssues = wrongKey === undefined ? issues : [...issues, { path: "idempotencyKey", rule: wrongKey }]
    if (allIssues.length > 0) return Effect.fail(refused(allIssues))
    const path = input.path()
    const body = content === undefined ? undefined : JSON.stringify(content)
    const parameters = Object.keys({ ...input.parameters, ...(isJsonObject(content) && content) })
    const maxResponseBytes = Context.get(policies, MaxResponseBytes)
    return Effect.map(
      makeKey(source, { method, path, body: content }, clock.currentTimeMillisUnsafe()),
      (key) => (apiKey, ownHeaders) => {
        let secrets: ReadonlyArray<string> | undefined
        const headers: Record<string, string> = {
          ...inLowerCase({ ...connection.headers, ...ownHeaders }),
          ...span?.headers,
          accept: "application/json",
          authorization: `ApiKey ${apiKey}`
        }
        if (key !== undefined) headers["idempotency-key"] = key
        if (body !== undefined) headers["content-type"] = "application/json"
        const url = connection.baseUrl + path
        return {
          key,
          parameters,
          secrets: () =>
            (secrets ??= [
              apiKey,
              ...base64FormsOf(apiKey),
              ...secretHeaders,
              ...secretsInHeaders(ownHeaders),
              ...ownSecrets()
            ]),
          unsafeToRetry,
          request: { method, url, headers, body, isUnsafeToResend: unsafeToRetry !== undefined, maxResponseBytes }
        }
      }
    )
  }
}
