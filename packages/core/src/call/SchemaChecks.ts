import * as BodyPath from "../reading/BodyPath.ts"
import { type DriftEntry, makeUnreadable, type Unreadable } from "../reading/DriftEntry.ts"
import { secretsIn } from "../errors/SecretPositions.ts"
import { isJsonObject } from "../reading/JsonObject.ts"
import { pathOf, type StandardIssue, type StandardResult, type StandardSchema } from "../contract/StandardSchema.ts"

/** An issue of a value, and its position, as the pipeline reports it. */
interface SchemaIssue {
  readonly path: string
  readonly rule: string
}

/** Why a schema returned no value. */
export interface SchemaRejection {
  readonly issues: ReadonlyArray<SchemaIssue>
}

/** A body that a schema read; with array elements that it rejects, these are left out and listed. */
export interface SchemaReading {
  readonly value: unknown
  readonly unreadable?: ReadonlyArray<Unreadable>
  readonly drift?: ReadonlyArray<DriftEntry>
  readonly driftCount?: number
}

/** Removes secrets from a string: a schema can quote the value that it rejects. */
type Redact = (text: string) => string

/** Checks a value; a schema that throws rejects it. */
const validate = async (schema: StandardSchema, value: unknown): Promise<StandardResult<unknown>> => {
  try {
    return await schema["~standard"].validate(value)
  } catch {
    return { issues: [{ message: "The schema failed" }] }
  }
}

const describe = (issue: StandardIssue, redact: Redact, path = pathOf(issue)): SchemaIssue => ({
  path: redact(BodyPath.format(path)),
  rule: redact(issue.message)
})

/** Removes the array elements that a schema rejects and returns them; `undefined` where it rejects anything else. */
const removeRejected = (body: unknown, issues: ReadonlyArray<StandardIssue>, redact: Redact) => {
  const lists = new Map<Array<unknown>, Set<unknown>>()
  const unreadable = new Map<string, Unreadable>()
  for (const issue of issues) {
    const path = pathOf(issue)
    let list: Array<unknown> | undefined
    let place = -1
    let part = body
    for (const [at, segment] of path.entries()) {
      if (Array.isArray(part)) {
        list = part
        place = at
      }
      part = Object(part)[segment]
    }
    if (list === undefined) return undefined
    const index = Number(path[place])
    lists.set(list, (lists.get(list) ?? new Set()).add(index))
    const { path: position, rule } = describe(issue, redact, path.slice(0, place + 1))
    unreadable.set(position, makeUnreadable(position, rule, list[index]))
  }
  for (const [list, indices] of lists) list.splice(0, list.length, ...list.filter((_, index) => !indices.has(index)))
  return [...unreadable.values()]
}

const readingOf = (value: unknown, unreadable: ReadonlyArray<Unreadable>): SchemaReading => ({
  value,
  unreadable,
  drift: unreadable.map(({ path, rule }) => ({ kind: "unreadable", path, rule })),
  driftCount: unreadable.length
})

/** Reads a body, or the value of its only field `data`, where one of them fits the schema. */
const read = async (
  schema: StandardSchema,
  body: unknown,
  isStrict: boolean,
  redact: Redact
): Promise<SchemaReading | SchemaRejection> => {
  const bodies = isJsonObject(body) && Object.keys(body).join() === "data" ? [body, body["data"]] : [body]
  const rejections: Array<ReadonlyArray<StandardIssue>> = []
  for (const one of bodies) {
    let result = await validate(schema, one)
    if (result.issues === undefined) return { value: result.value }
    rejections.push(result.issues)
    const rest: unknown = structuredClone(one)
    const removed = isStrict ? undefined : removeRejected(rest, result.issues, redact)
    if (removed === undefined) continue
    result = await validate(schema, rest)
    if (result.issues === undefined) return readingOf(result.value, removed)
  }
  // A schema that describes the envelope has issues inside of it.
  const inside = rejections.find((issues) => issues.some((issue) => pathOf(issue)[0] === "data")) ?? rejections.at(-1)
  return { issues: (inside ?? []).map((issue) => describe(issue, redact)) }
}

/** The schemas of a declaration, and the positions of secrets in its input. */
export interface SchemasOfOperation {
  readonly input?: StandardSchema | undefined
  readonly output?: StandardSchema | undefined
  readonly secrets?: ReadonlyArray<string> | undefined
}

/** Makes the checks of a declaration by its schemas, where it has them, and finds the secrets of its inputs. */
export const makeSchemaChecks = ({ input, output, secrets = [] }: SchemasOfOperation) => ({
  input:
    input &&
    (async (value: unknown, redact: Redact): Promise<SchemaReading | SchemaRejection> => {
      const result = await validate(input, value)
      return result.issues === undefined
        ? { value: result.value }
        : { issues: result.issues.map((issue) => describe(issue, redact)) }
    }),
  output: output && ((body: unknown, isStrict: boolean, redact: Redact) => read(output, body, isStrict, redact)),
  secretsIn: (value: unknown) => secretsIn(secrets, value)
})
