/**
 * The API reference as it looks with some documents: one section and one list of links for each.
 */
import { Operation } from "./Operation.tsx"
import type { OpenApiDocument } from "./OpenApi.ts"

/** A document that was read from its path. */
export interface Loaded {
  readonly anchor: string
  readonly path: string
  readonly document: OpenApiDocument
}

const operationsOf = ({ document }: Loaded) =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation }))
  )

const anchorOf = (method: string, path: string): string => `${method} ${path}`.replaceAll(/[^\w]+/gu, "-")

const matches = (filter: string, method: string, path: string, summary = ""): boolean =>
  `${method} ${path} ${summary}`.toLowerCase().includes(filter.toLowerCase())

/** The operations of the documents that match a filter. */
export const ReferenceView = ({
  documents,
  filter,
  onFilter
}: {
  readonly documents: ReadonlyArray<Loaded>
  readonly filter: string
  readonly onFilter: (filter: string) => void
}) => (
  <>
    <header>
      <h1>API reference</h1>
      <input
        type="search"
        placeholder="Filter operations"
        aria-label="Filter operations"
        value={filter}
        onInput={({ currentTarget }) => onFilter(currentTarget.value)}
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
