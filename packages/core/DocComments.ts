import { readdirSync, readFileSync } from "node:fs"
import * as Parameters from "./src/contract/Parameters.ts"

/** A doc comment: its text without the comment signs. */
export type DocComment = string

/** The doc comments of a schema and of its fields. */
export interface SchemaComments {
  readonly about: DocComment | undefined
  readonly fields: ReadonlyMap<string, DocComment>
}

/** The fields of a schema, a doc comment with the declaration or field after it, or a spread of other fields. */
const documentedCode =
  /const (?<owner>\w+)Fields = \{|\/\*\*(?<comment>(?:(?!\*\/)[\s\S])*)\*\/\s*(?:(?:export )?(?:const|interface|class) (?<name>\w+)|(?:readonly )?"?(?<field>[\w-]+)"?\??:)|\.\.\.(?<spread>\w+)(?:\.fields)?,/g

const textOf = (comment: string): DocComment => comment.replaceAll(/^[ \t]*\* ?/gm, "").trim()

/** Facts of parameters and their schemas have the same name, but for the first letter. */
const schemaNameOf = (name: string | undefined): string | undefined =>
  name && name.charAt(0).toUpperCase() + name.slice(1)

/** The doc comment of a parameter, from its facts. */
export const commentOf = (parameter: Parameters.Parameter): DocComment => {
  const whenAbsent = parameter.kind === "integer" ? parameter.default : parameter.whenAbsent
  const sentences = [
    `${Parameters.phraseOf(parameter)}${parameter.kind === "one-or-several" ? ": one, or several" : ""}${whenAbsent === undefined ? "" : `; ${whenAbsent} when absent`}.`,
    ...(parameter.secret === true ? [parameter.kind === "strings" ? "Secrets." : "A secret."] : []),
    ...(parameter.newer === true
      ? ["Newer than the API document; a service that does not know it may list everything."]
      : [])
  ]
  return parameter.deprecated === true
    ? `${sentences.join(" ")}\n\n@deprecated The API document marks this filter as deprecated (API document: Versioning).`
    : sentences.join(" ")
}

const isParameter = (fact: unknown): fact is Parameters.Parameter =>
  typeof fact === "object" && fact !== null && "about" in fact

/** The doc comments of parameters, by the names of their constants. */
const parameterComments = (): ReadonlyArray<readonly [string, ReadonlyMap<string, DocComment>]> =>
  Object.entries<unknown>(Parameters).flatMap(([name, facts]) => {
    const fields = Object.entries(Object(facts) as object).flatMap(([field, fact]) =>
      isParameter(fact) ? [[field, commentOf(fact)] as const] : []
    )
    return fields.length === 0 ? [] : [[name, new Map(fields)]]
  })

/** The doc comments in the sources of some folders of `src`, by the names of the schemas that they describe. */
export const readDocComments = (...folders: ReadonlyArray<string>): ReadonlyMap<string, SchemaComments> => {
  const comments = new Map<string, SchemaComments & { readonly fields: Map<string, DocComment> }>()
  const files = folders.flatMap((folder) => {
    const url = new URL(`src/${folder}/`, import.meta.url)
    return readdirSync(url)
      .toSorted()
      .map((file) => new URL(file, url))
  })
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
  for (const [name, parameters] of parameterComments()) {
    const documented = comments.get(schemaNameOf(name) ?? "")
    for (const [field, comment] of parameters) documented?.fields.set(field, comment)
  }
  return comments
}
