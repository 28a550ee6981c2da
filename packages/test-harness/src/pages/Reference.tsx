/**
 * The API reference: both OpenAPI documents as one page.
 */
import { render } from "preact"
import { useEffect, useState } from "preact/hooks"
import { Operation } from "./Operation.tsx"
import type { OpenApiDocument } from "./OpenApi.ts"

const sources = [
  { anchor: "api", path: "/openapi.json" },
  { anchor: "control", path: "/_fake/openapi.json" }
] as const

interface Loaded {
  readonly anchor: string
  readonly path: string
  readonly document: OpenApiDocument
}

const load = async ({ anchor, path }: (typeof sources)[number]): Promise<Loaded> => {
  const response = await fetch(path)
  const document: OpenApiDocument = await response.json()
  return { anchor, path, document }
}

const operationsOf = ({ document }: Loaded) =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation }))
  )

const anchorOf = (method: string, path: string): string => `${method} ${path}`.replaceAll(/[^\w]+/gu, "-")

const matches = (filter: string, method: string, path: string, summary = ""): boolean =>
  `${method} ${path} ${summary}`.toLowerCase().includes(filter.toLowerCase())

const Reference = () => {
  const [documents, setDocuments] = useState<ReadonlyArray<Loaded>>([])
  const [filter, setFilter] = useState("")
  useEffect(() => void Promise.all(sources.map(load)).then(setDocuments), [])
  return (
    <>
      <header>
        <h1>API reference</h1>
        <input
          type="search"
          placeholder="Filter operations"
          aria-label="Filter operations"
          value={filter}
          onInput={({ currentTarget }) => setFilter(currentTarget.value)}
        />
        <a href="/">Inspector</a>
      </header>
      <main class="reference">
        <nav aria-label="Operations">
          {documents.map((loaded) => (
            <div key={loaded.anchor}>
              <h2>{loaded.document.info.title}</h2>
              <ul class="plain">
                {operationsOf(loaded)
                  .filter(({ method, operation, path }) => matches(filter, method, path, operation.summary))
                  .map(({ method, path }) => (
                    <li key={method + path}>
                      <a href={`#${anchorOf(method, path)}`}>
                        <b>{method}</b> {path}
                      </a>
                    </li>
                  ))}
              </ul>
            </div>
          ))}
        </nav>
        <div>
          {documents.map((loaded) => (
            <section key={loaded.anchor} aria-label={loaded.document.info.title}>
              <h2>{loaded.document.info.title}</h2>
              <p>
                {loaded.document.info.description} <a href={loaded.path}>OpenAPI document</a>
              </p>
              {operationsOf(loaded)
                .filter(({ method, operation, path }) => matches(filter, method, path, operation.summary))
                .map(({ method, operation, path }) => (
                  <Operation
                    key={method + path}
                    id={anchorOf(method, path)}
                    method={method}
                    path={path}
                    operation={operation}
                    document={loaded.document}
                  />
                ))}
            </section>
          ))}
        </div>
      </main>
    </>
  )
}

render(<Reference />, document.body)
