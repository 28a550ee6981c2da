/**
 * The actions of the control API, with the schemas of what they take and return.
 */
import { useEffect, useState } from "preact/hooks"
import type { Act } from "./ControlClient.ts"
import { FilterBox } from "./FilterBox.tsx"
import { matcher } from "./Model.ts"
import { Json } from "./RequestDetail.tsx"

interface Action {
  readonly summary: string
  readonly parameters?: unknown
  readonly requestBody?: unknown
  readonly responses: unknown
}

/** The paths of the OpenAPI document of the control API. */
export type ActionPaths = Readonly<Record<string, Readonly<Record<string, Action>>>>

/** The actions whose method, path or summary contains all words of a filter. */
export const ActionList = ({ filter, paths }: { readonly filter: string; readonly paths: ActionPaths }) =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([method, { summary }]) => matcher(filter)(`${method} ${path} ${summary}`))
      .map(([method, { parameters, requestBody, responses, summary }]) => (
        <details key={method + path}>
          <summary>
            <b>{method.toUpperCase()}</b> {path} <small>{summary}</small>
          </summary>
          <Json title="Parameters" value={parameters} isOpen />
          <Json title="Request body" value={requestBody} isOpen />
          <Json title="Responses" value={responses} />
        </details>
      ))
  )

/** The actions, with a filter and links to the documents of both APIs. */
export const Actions = ({ act }: { readonly act: Act }) => {
  const [filter, setFilter] = useState("")
  const [paths, setPaths] = useState<ActionPaths>({})
  useEffect(() => {
    act("", async () => {
      const response = await fetch("/_fake/openapi.json")
      const { paths }: { readonly paths: ActionPaths } = await response.json()
      setPaths(paths)
    })
  }, [act])
  return (
    <>
      <p class="bar">
        <FilterBox
          placeholder="Filter: method, path, summary …"
          aria-label="Filter actions"
          value={filter}
          onFilter={setFilter}
        />
        <small>
          OpenAPI documents: <a href="/_fake/openapi.json">control API</a>, <a href="/openapi.json">API</a>
        </small>
      </p>
      <ActionList filter={filter} paths={paths} />
    </>
  )
}
