/**
 * One operation of an OpenAPI document.
 */
import {
  bodySchema,
  type Definitions,
  type JsonSchema,
  type OpenApiDocument,
  type OpenApiOperation,
  resolved,
  typeText
} from "./OpenApi.ts"

/** Schemas can be recursive: deeper levels are left out. */
const maxDepth = 6

interface SchemaProps {
  readonly schema: JsonSchema
  readonly definitions: Definitions
  readonly depth?: number
}

/** The schemas with fields inside a schema, such as the items of an array or the members of a union. */
const innerOf = (schema: JsonSchema): ReadonlyArray<JsonSchema> => [
  ...(schema.items === undefined ? [] : [schema.items]),
  ...(schema.anyOf ?? []),
  ...(schema.oneOf ?? []),
  ...(schema.allOf ?? [])
]

const hasFields = (schema: JsonSchema, definitions: Definitions, depth = 0): boolean => {
  const real = resolved(schema, definitions)
  if (real.properties !== undefined) return true
  return depth < maxDepth && innerOf(real).some((inner) => hasFields(inner, definitions, depth + 1))
}

const Fields = ({ definitions, depth = 0, schema }: SchemaProps) => {
  const { properties = {}, required = [], ...real } = resolved(schema, definitions)
  return (
    <>
      {innerOf(real)
        .filter((inner) => hasFields(inner, definitions))
        .map((inner) => (
          <Fields key={typeText(inner)} schema={inner} definitions={definitions} depth={depth} />
        ))}
      <ul class="fields">
        {Object.entries(properties).map(([name, field]) => (
          <Field
            key={name}
            name={name}
            isRequired={required.includes(name)}
            {...{ definitions, depth }}
            schema={field}
          />
        ))}
      </ul>
    </>
  )
}

const Field = ({
  definitions,
  depth = 0,
  isRequired,
  name,
  schema
}: SchemaProps & { readonly name: string; readonly isRequired: boolean }) => {
  const head = (
    <>
      <code>{name}</code> <small>{typeText(schema)}</small>
      {isRequired ? <small class="required"> required</small> : null}
    </>
  )
  const text = schema.description ?? resolved(schema, definitions).description
  return (
    <li>
      {depth < maxDepth && hasFields(schema, definitions) ? (
        <details>
          <summary>{head}</summary>
          <Fields schema={schema} definitions={definitions} depth={depth + 1} />
        </details>
      ) : (
        head
      )}
      {text === undefined ? null : <p>{text}</p>}
    </li>
  )
}

const Body = ({ definitions, schema, title }: SchemaProps & { readonly title: string }) => (
  <details>
    <summary>
      {title} <small>{typeText(schema)}</small>
    </summary>
    <Fields schema={schema} definitions={definitions} />
  </details>
)

const Parameters = ({ parameters }: OpenApiOperation) =>
  parameters === undefined ? null : (
    <ul class="fields">
      {parameters.map(({ description, in: place, name, required, schema = {} }) => (
        <li key={place + name}>
          <code>{name}</code> <small>{`${place}, ${typeText(schema)}`}</small>
          {required === true ? <small class="required"> required</small> : null}
          {description === undefined ? null : <p>{description}</p>}
        </li>
      ))}
    </ul>
  )

/** Links to the switches that lead to a response. */
const Causes = ({ names }: { readonly names: ReadonlyArray<string> | undefined }) => (
  <small>
    {names?.map((name) => (
      <span key={name}>
        {" "}
        <a href={`#switch-${name}`}>{name}</a>
      </span>
    ))}
  </small>
)

/** The operation with its parameters, its body and its responses. */
export const Operation = ({
  document,
  id,
  method,
  operation,
  path
}: {
  readonly id: string
  readonly method: string
  readonly path: string
  readonly operation: OpenApiOperation
  readonly document: OpenApiDocument
}) => {
  const request = operation.requestBody === undefined ? undefined : bodySchema(operation.requestBody)
  const definitions = { ...document.components?.schemas, ...request?.$defs }
  return (
    <article id={id}>
      <h3>
        <b>{method}</b> {path}
      </h3>
      {operation.summary === undefined ? null : <p>{operation.summary}</p>}
      {operation.description === undefined ? null : <p>{operation.description}</p>}
      <Parameters {...operation} />
      {request === undefined ? null : <Body title="Request body" schema={request} definitions={definitions} />}
      {Object.entries(operation.responses ?? {}).map(([status, response]) => {
        const schema = bodySchema(response)
        const title = `${status} ${response.description ?? ""}`
        return schema === undefined ? (
          <p key={status}>
            {title}
            <Causes names={response["x-switches"]} />
          </p>
        ) : (
          <Body key={status} title={title} schema={schema} definitions={definitions} />
        )
      })}
    </article>
  )
}
