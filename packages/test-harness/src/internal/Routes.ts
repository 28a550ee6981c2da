import { CredentialsUpsert } from "@signalbox/core/operation/CredentialsUpsert"
import { EventsList } from "@signalbox/core/operation/EventsList"
import { MessagesMarkAs } from "@signalbox/core/operation/MessagesMarkAs"

const operations = [CredentialsUpsert, MessagesMarkAs, EventsList] as const

/** The operation that a request is for, with its path parameters. */
export interface Route {
  readonly operation: (typeof operations)[number]["name"]
  readonly subscriberId: string
}

const segmentsOf = (path: string): ReadonlyArray<string> => path.split("/").filter((segment) => segment !== "")

const parametersOf = (pattern: string, path: string): ReadonlyArray<string> | undefined => {
  const [wanted, given] = [segmentsOf(pattern), segmentsOf(path)]
  if (wanted.length !== given.length) return undefined
  const parameters: Array<string> = []
  for (const [index, segment] of wanted.entries()) {
    const value = given[index] ?? ""
    if (segment.startsWith(":")) parameters.push(decodeURIComponent(value))
    else if (segment !== value) return undefined
  }
  return parameters
}

/** Finds the operation of a request; `undefined` when no operation has this method and path. */
export const routeOf = (method: string, path: string): Route | undefined => {
  for (const operation of operations) {
    if (operation.method !== method) continue
    const parameters = parametersOf(operation.path, path)
    if (parameters !== undefined) return { operation: operation.name, subscriberId: parameters[0] ?? "" }
  }
  return undefined
}

/** The documented operations, one line each, for those who took a wrong turn. */
export const documentedRoutes: ReadonlyArray<string> = operations.map(({ method, path }) => `${method} ${path}`)
