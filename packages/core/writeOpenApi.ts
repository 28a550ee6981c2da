import { writeFileSync } from "node:fs"
import { type DocComment, readDocComments } from "./DocComments.ts"
import { type Documentation, type Documented, make } from "./OpenApiDocument.ts"

/** The part of a doc comment about the wire; its remarks and examples are about the models. */
const documentedText = (comment: DocComment): Documented => {
  const [wire = ""] = comment.split(/\s*@(?:remarks|example)\s/)
  const [description = "", deprecation] = wire.split(/\s*@deprecated\s+/)
  const withoutSections = [description, deprecation ?? ""].join(" ").replaceAll(/\s*\(API\s+document:\s[^)]*\)/g, "")
  return { description: withoutSections.replaceAll(/\s+/g, " ").trim(), isDeprecated: deprecation !== undefined }
}

/** Reads the doc comments of the contract, the only source of the document's descriptions. */
const readDocumentation = (): Documentation =>
  new Map(
    [...readDocComments("Api.ts")].map(([name, { about, fields }]) => [
      name,
      {
        about: about === undefined ? undefined : documentedText(about),
        fields: new Map([...fields].map(([field, comment]) => [field, documentedText(comment)]))
      }
    ])
  )

/** The OpenAPI document at the root of the repository. */
export const openApiText = (): string => `${JSON.stringify(make(readDocumentation()), null, 2)}\n`

/** Where it is kept. */
export const openApiFile = new URL("../../openapi.json", import.meta.url)

if (import.meta.main) writeFileSync(openApiFile, openApiText())
