import { readdirSync, readFileSync } from "node:fs"
import { sourceNameOf } from "./writeLists.ts"
import { channelCredentials, operations } from "./src/contract/Operations.ts"
import { type Parameter, type ParameterFields, phraseOf } from "./src/contract/Parameters.ts"

/** A doc comment: its text without the comment signs. */
export type DocComment = string

/** The doc comments of a schema and of its fields. */
export interface SchemaComments {
  readonly about: DocComment | undefined
  readonly fields: ReadonlyMap<string, DocComment>
}

/** The fields of a schema, a doc comment with the declaration or field after it, or a spread of other fields. */
const documentedCode =
  /const (?<owner>\w+)Fields = \{|\/\*\*(?<comment>(?:(?!\*\/)[\s\S])*)\*\/\s*(?:(?:export )?(?:const|interface|class) (?<name>\w+)|(?:readonly )?"?(?<field>[\w.-]+)"?\??:)|\.\.\.(?<spread>\w+)(?:\.fields)?,/g

const textOf = (comment: string): DocComment => comment.replaceAll(/^[ \t]*\* ?/gm, "").trim()

/** Facts of parameters and their schemas have the same name, but for the first letter. */
const schemaNameOf = (name: string | undefined): string | undefined =>
  name && name.charAt(0).toUpperCase() + name.slice(1)

/** The doc comment of a parameter, from its facts. */
export const commentOf = (parameter: Parameter): DocComment => {
  const whenAbsent = parameter.kind === "integer" ? parameter.default : parameter.whenAbsent
  const sentences = [
    `${phraseOf(parameter)}${parameter.kind === "one-or-several" ? ": one, or several" : ""}${whenAbsent === undefined ? "" : `; ${whenAbsent} when absent`}.`,
    ...(parameter.secret === true ? [parameter.kind === "strings" ? "Secrets." : "A secret."] : []),
    ...(parameter.newer === true
      ? ["Newer than the API document; a service that does not know it may list everything."]
      : [])
  ]
  return parameter.deprecated === true
    ? `${sentences.join(" ")}\n\n@deprecated The API document marks this filter as deprecated (API document: Versioning).`
    : sentences.join(" ")
}

const commentsOf = (parameters: ParameterFields): ReadonlyArray<readonly [string, DocComment]> =>
  Object.entries(parameters).map(([field, parameter]) => [field, commentOf(parameter)])

const contract = new URL("src/contract/", import.meta.url)

/** The doc comments of the contract and of other sources, by the names of the schemas that they describe. */
export const readDocComments = (...others: ReadonlyArray<string>): ReadonlyMap<string, SchemaComments> => {
  const comments = new Map<string, SchemaComments & { readonly fields: Map<string, DocComment> }>()
  const files = [
    ...readdirSync(contract)
      .toSorted()
      .map((file) => new URL(file, contract)),
    ...others.map((file) => new URL(file, import.meta.url))
  ]
  for (const file of files) {
    let fields = new Map<string, DocComment>()
    for (const { groups = {} } of readFileSync(file, "utf8").matchAll(documentedCode)) {
      const { comment = "", field, name, owner, spread } = groups
      const schema = schemaNameOf(name ?? owner)
      if (schema !== undefined) {
        fields = comments.get(schema)?.fields ?? new Map<string, DocComment>()
        comments.set(schema, { about: name === undefined ? undefined : textOf(comment), fields })
      } else if (field !== undefined) fields.set(field, textOf(comment))
      else if (spread !== undefined) {
        for (const [inherited, documented] of comments.get(schemaNameOf(spread) ?? "")?.fields ?? [])
          fields.set(inherited, documented)
      }
    }
  }
  const documentParameters = (name: string, parameters: ParameterFields, about?: DocComment) => {
    const known = comments.get(name)
    comments.set(name, {
      about: known?.about ?? about,
      fields: new Map([...(known?.fields ?? []), ...commentsOf(parameters)])
    })
  }
  documentParameters("ChannelCredentials", channelCredentials)
  for (const [name, { parameters }] of Object.entries(operations)) {
    documentParameters(`${sourceNameOf(name)}Path`, parameters.path)
    documentParameters(`${sourceNameOf(name)}Query`, parameters.query)
    documentParameters(`${sourceNameOf(name)}Payload`, parameters.body, "Body of the request.")
  }
  return comments
}
