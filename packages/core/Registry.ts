// The operations of the API with their schemas, derived from their facts in `Operations`. Only generators and tests need
// the schemas of an operation: calls read and check with the tables that are generated from them.
import * as Schema from "effect/Schema"
import { ChannelProviderId } from "./src/contract/Enumerations.ts"
import { channelProviderIds } from "./src/contract/KnownValues.ts"
import { channelCredentials, type OperationName, operations } from "./src/contract/Operations.ts"
import type { ParameterFields } from "./src/contract/Parameters.ts"
import { type FieldsOf, fieldsOf, pathFieldsOf } from "./src/contract/ParameterSchemas.ts"
import { records } from "./src/contract/Records.ts"
import { ChannelCredentials } from "./src/contract/Subscriber.ts"
import { tolerant } from "./src/schemas/Tolerant.ts"
import { sourceNameOf } from "./writeLists.ts"

/** The schemas that responses have, too: they have names in the OpenAPI document. */
const shared = /* @__PURE__ */ new Map<unknown, Schema.Top>([
  [channelProviderIds, ChannelProviderId],
  [channelCredentials, ChannelCredentials]
])

type Records = typeof records
type Facts = (typeof operations)[OperationName]

/** Later versions of the service have parameters that the document lacks. */
type Documented<Fields extends ParameterFields> = {
  readonly [Name in keyof Fields as Fields[Name] extends { readonly newer: true } ? never : Name]: Fields[Name]
}

type StructOf<Fields extends ParameterFields> = keyof Fields extends never
  ? undefined
  : Schema.Struct<FieldsOf<Documented<Fields>>>

type ResponseOf<Name> = Name extends `${infer Item extends keyof Records}[]`
  ? Schema.$Array<Records[Item]>
  : Records[Extract<Name, keyof Records>]

/** An operation of the API: facts and schemas. */
type OperationOf<Own extends Facts> = Own & {
  /** Path parameters; `undefined` when the operation has none. */
  readonly params: StructOf<Own["parameters"]["path"]>
  /** Query parameters that the document has; `undefined` when the operation has none. */
  readonly query: StructOf<Own["parameters"]["query"]>
  /** JSON body of the request; `undefined` when the operation has none. */
  readonly payload: StructOf<Own["parameters"]["body"]>
  /** Body of a successful response, exactly as the document says. */
  readonly success: ResponseOf<Own["response"]>
  /** Body of a successful response, as tolerant as reading should be. */
  readonly read: Schema.Codec<unknown>
}

const structOf = (fields: Schema.Struct.Fields) =>
  Object.keys(fields).length === 0 ? undefined : Schema.Struct(fields)

const documentedIn = (fields: ParameterFields): ParameterFields =>
  Object.fromEntries(Object.entries(fields).filter(([, { newer }]) => newer !== true))

const operationOf = (name: OperationName) => {
  const facts = operations[name]
  const { body, path, query } = facts.parameters
  const { response }: { readonly response: keyof Records | `${keyof Records}[]` } = facts
  // Without the brackets, the name is that of a record.
  const record: Schema.Codec<unknown, unknown> = records[response.replace("[]", "") as keyof Records]
  const success = response.endsWith("[]") ? Schema.Array(record) : record
  return {
    name,
    ...facts,
    params: structOf(pathFieldsOf(path)),
    query: structOf(fieldsOf(documentedIn(query))),
    payload: structOf(fieldsOf(body, shared))?.annotate({ identifier: `${sourceNameOf(name)}Payload` }),
    success,
    read: tolerant<unknown>(success)
  }
}

/** Every operation with its schemas. */
export const registry = Object.fromEntries(
  Object.keys(operations).map((name) => [name, operationOf(name as OperationName)])
  // `operationOf` makes each schema from the facts of the same name, which the compiler cannot follow.
) as unknown as {
  readonly [Name in OperationName]: { readonly name: Name } & OperationOf<(typeof operations)[Name]>
}

/** The payload of an upsert for a provider that this version does not need to know. */
export const AnyProviderPayload = /* @__PURE__ */ Schema.Struct({
  ...registry["credentials.upsert"].payload.fields,
  providerId: Schema.NonEmptyString
})
