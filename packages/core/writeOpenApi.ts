import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { type Documentation, type Documented, type DocumentedSchema, make } from "./src/api/OpenApiDocument.ts"

const source = (path: string): URL => new URL(`src/${path}`, import.meta.url)

const sourceFiles = (): ReadonlyArray<URL> =>
  ["contract", "api"].flatMap((folder) =>
    readdirSync(source(folder))
      .toSorted()
      .map((file) => source(`${folder}/${file}`))
  )

const documentedText = (comment: string): Documented => {
  const text = comment.replaceAll(/^\s*\* ?/gm, "").trim()
  const [description = "", deprecation] = text.split(/\s*@deprecated\s+/)
  const withoutSections = [description, deprecation ?? ""].join(" ").replaceAll(/\s*\(API\s+document:\s[^)]*\)/g, "")
  return { description: withoutSections.replaceAll(/\s+/g, " ").trim(), isDeprecated: deprecation !== undefined }
}

/** The fields of a schema, a doc comment with the declaration or field after it, or a spread of other fields. */
const documentedCode =
  /const (?<owner>\w+)Fields = \{|\/\*\*(?<comment>(?:(?!\*\/)[\s\S])*)\*\/\s*(?:(?:export )?(?:const|interface|class) (?<name>\w+)|(?:readonly )?"?(?<field>[\w-]+)"?\??:)|\.\.\.(?<spread>\w+)(?:\.fields)?,/g

/** Facts of parameters and their schemas have the same name, but for the first letter. */
const schemaNameOf = (name: string | undefined): string | undefined =>
  name && name.charAt(0).toUpperCase() + name.slice(1)

/** What the doc comments of the contract say: the document's descriptions are written there, and nowhere else. */
const readDocumentation = (): Documentation => {
  const documentation = new Map<string, DocumentedSchema & { readonly fields: Map<string, Documented> }>()
  for (const file of sourceFiles()) {
    let fields = new Map<string, Documented>()
    for (const { groups = {} } of readFileSync(file, "utf8").matchAll(documentedCode)) {
      const { comment = "", field, name, owner, spread } = groups
      const schema = schemaNameOf(name ?? owner)
      if (schema !== undefined) {
        fields = documentation.get(schema)?.fields ?? new Map<string, Documented>()
        documentation.set(schema, { about: name === undefined ? undefined : documentedText(comment), fields })
      } else if (field !== undefined) fields.set(field, documentedText(comment))
      else if (spread !== undefined) {
        for (const [inherited, documented] of documentation.get(schemaNameOf(spread) ?? "")?.fields ?? [])
          fields.set(inherited, documented)
      }
    }
  }
  return documentation
}

/** The OpenAPI document at the root of the repository. */
export const openApiText = (): string => `${JSON.stringify(make(readDocumentation()), null, 2)}\n`

/** Where it is kept. */
export const openApiFile = new URL("../../openapi.json", import.meta.url)

if (import.meta.main) writeFileSync(openApiFile, openApiText())
