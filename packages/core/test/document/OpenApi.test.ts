import { assert, describe, it } from "@effect/vitest"
import type { OpenAPISpec } from "effect/http-api/OpenApi"
import { readFileSync } from "node:fs"
import { operations as facts } from "../../src/contract/Operations.ts"
import { openApiFile, openApiText } from "../../writeOpenApi.ts"

const kept = readFileSync(openApiFile, "utf8")
const document: OpenAPISpec = JSON.parse(kept)

const operations = Object.entries(document.paths).flatMap(([path, { get, patch, post }]) =>
  Object.entries({ GET: get, PATCH: patch, POST: post }).flatMap(([method, operation]) =>
    operation === undefined ? [] : [{ route: `${method} ${path}`, operation }]
  )
)

describe("openapi.json", () => {
  it("is what `pnpm openapi` writes", () => {
    assert.strictEqual(kept, openApiText())
  })

  it("has the operations with their statuses and the ApiKey scheme", () => {
    const found = operations.map(({ operation, route }) => [
      operation.operationId,
      route,
      Object.keys(operation.responses),
      operation.security
    ])
    const expected = Object.entries(facts).map(([name, { method, path, status }]) => [
      name,
      `${method} ${path.replaceAll(/:(\w+)/g, "{$1}")}`,
      [String(status)],
      [{ ApiKey: [] }]
    ])
    assert.sameDeepMembers(found, expected)
    assert.deepStrictEqual(document.components.securitySchemes, { ApiKey: { type: "http", scheme: "ApiKey" } })
  })

  it("has whole numbers with bounds and defaults for page and limit", () => {
    const parameters = document.paths["/v1/notifications"]?.get?.parameters
    const schemaOf = (name: string) => parameters?.find((parameter) => parameter.name === name)?.schema
    assert.deepStrictEqual(schemaOf("page"), { type: "integer", minimum: 0, default: 0 })
    assert.deepStrictEqual(schemaOf("limit"), { type: "integer", minimum: 1, maximum: 50, default: 10 })
  })

  it("forbids no unknown field", () => {
    assert.notInclude(kept, "additionalProperties")
  })

  it("marks what is deprecated, and nothing else", () => {
    const deprecated: Array<string> = []
    const visit = (value: unknown, path: ReadonlyArray<string>): void => {
      if (typeof value !== "object" || value === null) return
      if ("deprecated" in value) deprecated.push("name" in value ? String(value.name) : path.join("."))
      for (const [key, child] of Object.entries(value)) visit(child, [...path, key])
    }
    visit(document, [])
    assert.deepStrictEqual(deprecated, ["search", "components.schemas.Subscriber.properties.topics"])
  })

  it("describes every operation, parameter, schema and field", () => {
    const undescribed: Array<string> = []
    for (const { operation, route } of operations) {
      if (!operation.description) undescribed.push(route)
      for (const { description, name } of operation.parameters) if (!description) undescribed.push(`${route} ${name}`)
    }
    for (const [name, schema] of Object.entries(document.components.schemas)) {
      if (!("description" in schema)) undescribed.push(name)
      const properties: unknown = "properties" in schema ? schema["properties"] : {}
      for (const [field, property] of Object.entries(properties ?? {})) {
        if (!property.description) undescribed.push(`${name}.${field}`)
      }
    }
    assert.deepStrictEqual(undescribed, [])
  })
})
