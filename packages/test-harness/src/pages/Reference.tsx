/**
 * The API reference: both OpenAPI documents as one page.
 */
import { render } from "preact"
import { useEffect, useState } from "preact/hooks"
import type { OpenApiDocument } from "./OpenApi.ts"
import { type Loaded, ReferenceView } from "./ReferenceView.tsx"

const sources = [
  { anchor: "api", path: "/openapi.json" },
  { anchor: "control", path: "/_fake/openapi.json" }
] as const

const load = async ({ anchor, path }: (typeof sources)[number]): Promise<Loaded> => {
  const response = await fetch(path)
  const document: OpenApiDocument = await response.json()
  return { anchor, path, document }
}

const Reference = () => {
  const [documents, setDocuments] = useState<ReadonlyArray<Loaded>>([])
  const [filter, setFilter] = useState("")
  useEffect(() => void Promise.all(sources.map(load)).then(setDocuments), [])
  return <ReferenceView documents={documents} filter={filter} onFilter={setFilter} />
}

render(<Reference />, document.body)
