import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { Method } from "../contract/Operations.ts"
import { fillPath, parametersIn } from "../contract/PathTemplate.ts"
import type { FieldIssue } from "../errors/Reason.ts"
import { isJsonObject } from "../reading/JsonObject.ts"
import type { ConnectionShape } from "../transport/Connection.ts"
import { queryOf } from "./BuildRequest.ts"
import type { CallableOperation } from "./CallableOperation.ts"
import type { CheckedInput } from "./CheckedInput.ts"
import { late } from "./CallFailure.ts"
import type { CallRecord } from "./CallRecord.ts"
import { safePathOf } from "./ErrorBody.ts"
import { plainName } from "./Input.ts"
import { beforeDeadline } from "./InOrder.ts"
import { appliedTwice } from "./Retry.ts"
import { makeSchemaChecks, type SchemaReading, type SchemaRejection, type SchemasOfOperation } from "./SchemaChecks.ts"

/** Whether a value is a finite number or of another kind; the prototypes of some test runners are of another realm. */
const isKind = (kinds: RegExp, value: unknown): boolean =>
  Number.isFinite(value) || kinds.test(Object.prototype.toString.call(value))

const isParameter = (value: unknown): boolean => isKind(/String|Boolean/, value)

const isJson = (value: unknown): boolean => {
  try {
    JSON.stringify(value, (_, part: unknown) => {
      if (!isKind(/String|Boolean|Object|Array|Null|Undefined/, part)) throw part
      return part
    })
    return true
  } catch {
    return false
  }
}

/** The parts of a declaration that a call depends on. */
export interface DeclaredFacts extends SchemasOfOperation {
  readonly name: string
  readonly method: Method
  readonly path: string
  readonly idempotent?: boolean | undefined
}

/** The issues of an input, part by part. */
const issuesIn = ({ method, path }: DeclaredFacts, input: unknown): ReadonlyArray<FieldIssue> => {
  const issues: Array<FieldIssue> = []
  // A name can be a misplaced secret.
  const add = (part: string, name: string, rule: string) =>
    issues.push({ path: plainName.test(name) ? part + name : part, rule: `Expected ${rule}` })
  const names = parametersIn(path)
  const allowed = [...(names.length > 0 ? ["path"] : []), "query", ...(method === "GET" ? [] : ["body"])]
  const parts = Object(input)
  for (const name of isJsonObject(input) || input === undefined ? Object.keys(parts) : [""]) {
    if (parts[name] !== undefined || name === "")
      if (!allowed.includes(name)) add("", name, `one of the parts ${allowed.join(", ")}`)
  }
  for (const name of names) {
    const value = parts.path?.[name]
    if (typeof value !== "string" || /^\.{0,2}$|\p{Surrogate}/u.test(value))
      add("path.", name, "a string that can be a segment of a URL")
  }
  for (const [name, value] of Object.entries(Object(parts.query))) {
    if (value !== undefined && ![value].flat().every(isParameter))
      add("query.", name, "a string, number or boolean, or a list of them")
  }
  if (!isJson(parts.body)) add("", "body", "JSON")
  return issues
}

/** The outcome of a check by a schema of the program, which may never finish; without a schema, the value itself. */
const settled = (
  record: CallRecord,
  checking: Promise<SchemaReading | SchemaRejection> | undefined,
  value: unknown
): Effect.Effect<SchemaReading | SchemaRejection> =>
  checking === undefined
    ? Effect.succeed({ value })
    : Effect.match(
        beforeDeadline(
          record,
          Effect.promise(() => checking),
          () => late(record.timeouts.callMs, "not checked")
        ),
        {
          onSuccess: (result) => result,
          onFailure: ({ reason }) => ({ issues: [{ path: "", rule: reason.message }] })
        }
      )

/** An operation that a program declares. Its schemas check and read it, where it has them. */
export const declared = (operation: DeclaredFacts): CallableOperation<unknown, unknown> => {
  const { idempotent, method, name, path } = operation
  const { input: checkInput, output: readOutput, secretsIn } = makeSchemaChecks(operation)
  const partsOf = (
    { arrayEncoding }: ConnectionShape,
    input: unknown,
    value: unknown,
    issues?: ReadonlyArray<FieldIssue>
  ): CheckedInput => {
    const { body, path: params = {}, query = {} } = Object(value)
    return {
      issues: issues ?? issuesIn(operation, value),
      path: () => fillPath(path, params) + queryOf(query, arrayEncoding),
      parameters: query,
      body,
      secrets: () => [...secretsIn(input), ...secretsIn(value)],
      unsafeToRetry: method === "GET" || idempotent === true ? undefined : appliedTwice
    }
  }
  return {
    name,
    method,
    route: path,
    empty: true,
    check: (input, connection, record) => {
      const checking = checkInput?.(input, (text) => safePathOf(text, secretsIn(input)))
      return Effect.map(settled(record, checking, input), (result) =>
        "issues" in result ? partsOf(connection, input, input, result.issues) : partsOf(connection, input, result.value)
      )
    },
    reader: (policy) => (body, record) => {
      const reading = readOutput?.(body, policy === "strict", (text) =>
        safePathOf(text, record.prepared?.secrets() ?? [])
      )
      return Effect.map(settled(record, reading, body), (result) =>
        "issues" in result
          ? Result.fail(result)
          : Result.succeed({ unreadable: [], drift: [], driftCount: 0, ...result })
      )
    }
  }
}
