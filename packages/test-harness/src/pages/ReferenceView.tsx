/**
 * The reference as it looks with some documents: the switches, and a section and a list of links for each document.
 */
import type { ComponentChildren } from "preact"
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

/** An environment to choose. */
export interface Choice {
  readonly apiKey: string
  readonly name?: string
}

/** The switches of an environment, and the operations of the documents that match a filter. */
export const ReferenceView = ({
  children,
  documents,
  environments,
  filter,
  notice,
  onEnvironment,
  onFilter
}: {
  readonly documents: ReadonlyArray<Loaded>
  readonly filter: string
  readonly onFilter: (filter: string) => void
  readonly environments: ReadonlyArray<Choice>
  readonly onEnvironment: (apiKey: string) => void
  readonly notice: string
  /** The table of switches. */
  readonly children?: ComponentChildren
}) => (
  <>
    <header>
      <h1>Switches and actions</h1>
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
        <h2>
          <a href="#switches">Switches</a>
        </h2>
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
        <section id="switches" aria-label="Switches">
          <h2>Switches</h2>
          <p>
            Each question is one that the API document leaves open, with the answers of the presets. Another value
            applies from the next request on; marked values differ from the preset document.
          </p>
          <p class="bar">
            <label>
              Environment{" "}
              <select onChange={({ currentTarget }) => onEnvironment(currentTarget.value)}>
                {environments.map(({ apiKey, name }) => (
                  <option key={apiKey} value={apiKey}>
                    {name ?? apiKey}
                  </option>
                ))}
              </select>
            </label>
            <span class="notice" role="status">
              {notice}
            </span>
          </p>
          {children}
        </section>
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
