// Writes the models that callers receive, as interfaces, and the schemas by which they are read, from the contract.
import type * as Schema from "effect/Schema"
import type * as SchemaAST from "effect/SchemaAST"
import { readdirSync, writeFileSync } from "node:fs"
import { commentOf, type DocComment, readDocComments } from "./DocComments.ts"
import { registry } from "./Registry.ts"
import * as KnownValues from "./src/contract/KnownValues.ts"
import { eventsListQuery } from "./src/contract/Operations.ts"
import type { Parameter } from "./src/contract/Parameters.ts"
import { readAsOneOf, toleratedAbsenceOf, toleratedNullOf } from "./src/contract/Marks.ts"
import { knownValuesAnnotation } from "./src/schemas/OpenEnum.ts"
import { recursiveSchemaOf } from "./src/schemas/Recursive.ts"
import { tolerant } from "./src/schemas/Tolerant.ts"

const isSchema = (value: unknown): value is Schema.Top => typeof value === "function" && "ast" in value

const contract = new URL("src/contract/", import.meta.url)
// The others declare no schemas of their own.
const files = readdirSync(contract).filter((file) => !/(?:Records|\.test)\.ts$/u.test(file))
const modules = await Promise.all(
  files.toSorted().map(async (file) => [file.replace(".ts", ""), await import(new URL(file, contract).href)] as const)
)

/** The schemas of the contract, each with the form by which its values are read. */
const derived = modules.flatMap(([file, module]) =>
  // A module's names have no order that all loaders share.
  Object.entries<unknown>(module)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .flatMap(([name, schema]) =>
      isSchema(schema) ? [{ file, name, schema, read: tolerant<unknown>(schema).ast }] : []
    )
)

const isRecord = (ast: SchemaAST.AST): ast is SchemaAST.Objects =>
  ast._tag === "Objects" && ast.indexSignatures.length === 0

const knownIn = (ast: SchemaAST.AST): ReadonlyArray<unknown> | undefined => {
  const known = ast.annotations?.[knownValuesAnnotation]
  return known instanceof Set ? [...known] : undefined
}

const enumerations = derived.flatMap((one) => {
  const known = knownIn(one.read)
  return known === undefined ? [] : [{ ...one, known }]
})
const records = derived.flatMap((one) => (isRecord(one.read) ? [{ ...one, read: one.read }] : []))

/** The names of records: every field has its own copy of a record, with the same list of fields. */
export const recordNames: ReadonlyMap<unknown, string> = new Map(
  records.map(({ name, read }) => [read.propertySignatures, name])
)

/** The records in responses. */
const inResponses = (): ReadonlySet<string> => {
  const reached = new Set<string>()
  const walk = (ast: SchemaAST.AST): void => {
    switch (ast._tag) {
      case "Arrays":
        ast.rest.forEach(walk)
        break
      case "Union":
        ast.types.forEach(walk)
        break
      case "Objects": {
        const name = recordNames.get(ast.propertySignatures)
        if (name === undefined || reached.has(name)) return
        reached.add(name)
        for (const { type } of ast.propertySignatures) walk(type)
      }
    }
  }
  for (const { read } of Object.values(registry)) walk(read.ast)
  return reached
}

const reached = inResponses()
const models = records.filter(({ name }) => reached.has(name))

const sameValues = (left: ReadonlyArray<unknown>, right: ReadonlyArray<unknown>) =>
  JSON.stringify(left) === JSON.stringify(right)

/** The name of a list of `KnownValues`. */
const listOf = (known: ReadonlyArray<unknown>): string | undefined =>
  Object.entries(KnownValues).find(([, list]) => Array.isArray(list) && sameValues(list, known))?.[0]

const openTypeOf = (known: ReadonlyArray<unknown>): string => {
  const list = listOf(known)
  return list === undefined ? `Open<readonly ${JSON.stringify(known).replaceAll(",", ", ")}>` : `Open<typeof ${list}>`
}

const typeOf = (ast: SchemaAST.AST): string => {
  const known = knownIn(ast)
  if (known !== undefined) {
    return enumerations.find((enumeration) => sameValues(enumeration.known, known))?.name ?? openTypeOf(known)
  }
  const recursive = recursiveSchemaOf(ast)
  if (recursive !== undefined) return typeOf(recursive().ast)
  switch (ast._tag) {
    case "String":
    case "Number":
    case "Boolean":
    case "Null":
      return ast._tag.toLowerCase()
    case "Arrays":
      return `ReadonlyArray<${ast.rest.map(typeOf).join()}>`
    case "Union":
      return ast.types.map(typeOf).join(" | ")
    case "Objects": {
      if (!isRecord(ast)) return "{ readonly [key: string]: unknown }"
      const name = recordNames.get(ast.propertySignatures)
      if (name !== undefined) return name
    }
  }
  throw new Error(`No model has a value of ${ast._tag}`)
}

const comments = readDocComments()

const rendered = (comment: DocComment, indent: string): string => {
  const text = comment.replaceAll("@remarks ", "")
  return text.includes("\n")
    ? `${indent}/**\n${text
        .split("\n")
        .map((line) => `${indent} * ${line}`.trimEnd())
        .join("\n")}\n${indent} */`
    : `${indent}/** ${text} */`
}

/** Deviations that reading tolerates at a field of the contract, as a note. */
const noteOf = (field: SchemaAST.AST): string | undefined =>
  (
    toleratedAbsenceOf(field) ??
    toleratedNullOf(field) ??
    (field._tag === "Arrays" ? field.rest.map(toleratedNullOf)[0] : undefined)
  )?.note

const withNote = (comment: DocComment, note: string | undefined): DocComment =>
  note === undefined ? comment : `${comment.replace(/\.$/, "")}; ${note}.`

/** The records of the contract that a model has the fields of, by their names in the source. */
const sourcesOf = (name: string, ast: SchemaAST.AST): ReadonlyArray<readonly [string, SchemaAST.Objects]> => {
  if (isRecord(ast)) return [[name, ast]]
  return ast._tag === "Union"
    ? ast.types.flatMap((type) => sourcesOf(String(type.annotations?.["identifier"]), type))
    : []
}

const fieldComment = (name: string, schema: Schema.Top, field: string): DocComment => {
  for (const [source, record] of sourcesOf(name, schema.ast)) {
    const type = record.propertySignatures.find((signature) => signature.name === field)?.type
    const comment = comments.get(source)?.fields.get(field)
    if (type === undefined || comment === undefined) continue
    const merged = readAsOneOf(schema.ast)
    return merged !== undefined && type._tag === "Literal" ? merged.discriminator : withNote(comment, noteOf(type))
  }
  throw new Error(`${name}.${field} has no comment`)
}

const aboutOf = (name: string): DocComment => {
  const about = comments.get(name)?.about
  if (about === undefined) throw new Error(`${name} has no comment`)
  return about
}

const aliasText = ({ known, name }: (typeof enumerations)[number]): string => {
  const list = listOf(known)
  if (list === undefined) throw new Error(`${name} is not a list of KnownValues`)
  const isText = known.every((value) => typeof value === "string")
  const type = isText ? `(typeof ${list})[number] | (string & {})` : `Open<typeof ${list}>`
  const about = `${aboutOf(name)}\n\nA service may send a value that is newer than this version.`
  return `${rendered(about, "")}\nexport type ${name} = ${type}`
}

const interfaceText = ({ name, read, schema }: (typeof models)[number]): string => {
  const fields = read.propertySignatures.map(({ name: field, type }) => {
    const key = String(field)
    const optional = type.context?.isOptional === true ? "?" : ""
    return `${rendered(fieldComment(name, schema, key), "  ")}\n  readonly ${key}${optional}: ${typeOf(type)}`
  })
  return `${rendered(aboutOf(name), "")}\nexport interface ${name} {\n${fields.join("\n")}\n}`
}

/** The type of a filter, as callers write it. */
const filterType = (parameter: Parameter): string => {
  switch (parameter.kind) {
    case "integer":
      return "number"
    case "string":
      return parameter.isTime === true ? "string | Date" : "string"
    case "strings":
    case "one-or-several": {
      const { known } = parameter
      const value = enumerations.find((one) => known !== undefined && sameValues(one.known, known))?.name ?? "string"
      return `${value} | ReadonlyArray<${value}>`
    }
    case "object":
      throw new Error("A filter is not an object")
  }
}

/** The filters of the listing. Not a mapped type, because compilers of users would spend longer on one. */
const filtersText = (): string => {
  const fields = Object.entries<Parameter>(eventsListQuery).map(
    ([name, parameter]) =>
      `${rendered(commentOf(parameter), "  ")}\n  readonly ${name}?: ${filterType(parameter)} | undefined`
  )
  return `/** The filters of the event listing (API document: Endpoints, List all events). */\nexport interface ListFilters {\n${fields.join("\n")}\n}`
}

const head = "// Generated from `contract/` by `pnpm --filter @signalbox/core run readers`; a test compares the two.\n"

/** The module `models/Interfaces.ts`. */
export const interfacesText = (): string => {
  const body = [...enumerations.map(aliasText), ...models.map(interfaceText), filtersText()].join("\n\n")
  const lists = Object.keys(KnownValues).filter((list) => new RegExp(`typeof ${list}\\b`, "u").test(body))
  return `${head}import type {\n  ${[...lists.toSorted(), "Open"].join(",\n  ")}\n} from "../contract/KnownValues.ts"\n\n${body}\n`
}

/** The module `schemas/Schemas.ts`. */
export const schemasText = (): string => {
  const files = [...new Set([...enumerations, ...models].map(({ file }) => file))].toSorted()
  const schemas = [
    ...enumerations.map(({ known, name }) => {
      const list = `KnownValues.${listOf(known)}`
      return `/** Schema of \`${name}\`. */\nexport const ${name} = /* @__PURE__ */ openEnum<typeof ${list}, Model.${name}>(${list})`
    }),
    ...models.map(
      ({ file, name }) =>
        `/** Schema of \`${name}\`. */\nexport const ${name}: Schema.Codec<Model.${name}> = /* @__PURE__ */ tolerant(Contract${file}.${name})`
    )
  ]
  const used = files.filter((file) => models.some((model) => model.file === file))
  return `/**
 * Schemas of the records in responses, with what reading tolerates.
 *
 * **When to use**: to decode, encode or generate values with \`effect/Schema\`. Calls read without schemas, by tables
 * generated from these.
 */
${head}import type * as Schema from "effect/Schema"
${used.map((file) => `import * as Contract${file} from "../contract/${file}.ts"`).join("\n")}
import * as KnownValues from "../contract/KnownValues.ts"
import type * as Model from "../models/Records.ts"
import { openEnum } from "./OpenEnum.ts"
import { tolerant } from "./Tolerant.ts"

${schemas.join("\n")}
`
}

/** Where they are kept. */
export const interfacesFile = new URL("src/models/Interfaces.ts", import.meta.url)
export const schemasFile = new URL("src/schemas/Schemas.ts", import.meta.url)

if (import.meta.main) {
  writeFileSync(interfacesFile, interfacesText())
  writeFileSync(schemasFile, schemasText())
}
