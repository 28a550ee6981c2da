import { assert, describe, it } from "@effect/vitest"
import type { OpenAPISpec, OpenAPISpecMethodName } from "effect/http-api/OpenApi"
import { readFileSync } from "node:fs"
import * as OpenApiDocument from "../../OpenApiDocument.ts"

const kept: OpenAPISpec = JSON.parse(readFileSync(new URL("../../../../openapi.json", import.meta.url), "utf8"))

const documented = ({ deprecated, description }: { readonly deprecated?: boolean; readonly description?: string }) => ({
  description: description ?? "",
  isDeprecated: deprecated === true
})

/** The documentation of the kept document, in the form that `documented` expects. */
const documentationOf = ({ components, paths }: OpenAPISpec): OpenApiDocument.Documentation => {
  const documentation = new Map<string, OpenApiDocument.DocumentedSchema>()
  const methods: ReadonlyArray<OpenAPISpecMethodName> = ["get", "post", "patch"]
  for (const operation of Object.values(paths).flatMap((item) => methods.flatMap((method) => item[method] ?? []))) {
    const source = operation.operationId.replaceAll(/(?:^|\.)\w/g, (start) => start.slice(-1).toUpperCase())
    const operations = new Map(documentation.get("Operations")?.fields).set(
      operation.operationId,
      documented(operation)
    )
    documentation.set("Operations", { about: undefined, fields: operations })
    for (const parameter of operation.parameters) {
      const group = { query: `${source}Query`, path: `${source}Path`, header: "Headers", cookie: "" }[parameter.in]
      const fields = new Map(documentation.get(group)?.fields).set(parameter.name, documented(parameter))
      documentation.set(group, { about: undefined, fields })
    }
  }
  for (const [name, schema] of Object.entries(components.schemas)) {
    const properties = "properties" in schema ? Object.entries(schema["properties"] ?? {}) : []
    documentation.set(name, {
      about: documented(schema),
      fields: new Map(properties.map(([field, property]) => [field, documented(property)]))
    })
  }
  return documentation
}

describe("the OpenAPI document", () => {
  it("has exactly what it is given to say, where it belongs", () => {
    assert.deepStrictEqual(JSON.parse(JSON.stringify(OpenApiDocument.make(documentationOf(kept)))), kept)
  })

  it("has no descriptions where it is given none", () => {
    const bare = JSON.parse(JSON.stringify(OpenApiDocument.make(new Map())))
    const [parameter] = bare.paths["/v1/notifications"].get.parameters
    assert.notProperty(parameter, "description")
    assert.notProperty(bare.components.schemas.Subscriber, "description")
    assert.notInclude(JSON.stringify(bare), "deprecated")
  })
})
