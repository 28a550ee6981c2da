/**
 * The control API for tests in other languages, under `/_fake/`.
 */
import type { Environment } from "../environment/Environment.ts"
import type { Fake } from "../environment/Fake.ts"
import { NoSuchRecord } from "../generate/EditRecords.ts"
import { checkNames } from "../input/Input.ts"
import { nearest } from "@signalbox/core/Nearest"
import type { FakeRequest } from "../wire/FakeRequest.ts"
import { isNestedTooDeep, nestingRule } from "../wire/Nesting.ts"
import { JournalEvicted } from "../verdicts/JournalEvicted.ts"
import {
  type Availability,
  type ControlAction,
  controlActions,
  type ControlContext,
  type ControlResponse
} from "./ControlActions.ts"

const controlPrefix = "/_fake"

export type ControlRequest = Pick<FakeRequest, "method" | "path" | "query" | "header" | "body">

export const isControlPath = (path: string): boolean => path === controlPrefix || path.startsWith(`${controlPrefix}/`)

const refused = (status: number, message: string): ControlResponse => ({ status, body: { message } })

const described = controlActions.map(({ method, needsKey, path, summary }) => ({ method, path, needsKey, summary }))

const actionNames = controlActions.map(({ method, path }) => `${method} ${path}`)

/** The error of a request for no action: the action that was probably meant, or else all of them. */
const unknownAction = (wanted: string): string => {
  const meant = nearest(wanted, actionNames)
  const names = [`GET ${controlPrefix}`, ...actionNames].join(", ")
  return `Cannot ${wanted}; ${meant === undefined ? `there is ${names}` : `did you mean ${meant}? GET ${controlPrefix} lists all actions`}`
}

const parse = (body: string): unknown => {
  if (body === "") return undefined
  if (isNestedTooDeep(body)) throw new RangeError(`The body must be ${nestingRule}`)
  try {
    return JSON.parse(body) as unknown
  } catch {
    throw new RangeError("The body is not valid JSON")
  }
}

const environmentOf = (fake: Fake, authorization: string | undefined): Environment | undefined =>
  fake.environments().find(({ apiKey }) => authorization === `ApiKey ${apiKey}`)

/** Invalid input is a `RangeError`; any other error is a defect of the fake. */
const failed = (error: unknown): ControlResponse => {
  if (error instanceof NoSuchRecord) return refused(404, error.message)
  if (error instanceof RangeError) return refused(400, error.message)
  if (error instanceof URIError) return refused(400, "The path has an invalid percent-encoding")
  if (error instanceof JournalEvicted) return refused(409, error.message)
  return refused(500, `The fake failed: ${error instanceof Error ? error.message : String(error)}`)
}

/** The document has the schemas of all results, which a server needs for nothing else. */
const document = async (): Promise<ControlResponse> => {
  const { controlDocument } = await import("./ControlDocument.ts")
  return { status: 200, body: controlDocument() }
}

export interface Controlled {
  readonly fake: Fake
  readonly availability: Availability
}

/** An action, and the parameters of a path that it has. */
interface Matched {
  readonly action: ControlAction
  readonly parameters: ControlContext["parameters"]
}

/** The parameters of a path that has the form of an action's path, still percent-encoded. */
const parametersOf = (template: string, path: string): ControlContext["parameters"] | undefined => {
  const form = new RegExp(`^${template.replaceAll(/\{(\w+)\}/gu, "(?<$1>[^/]+)")}$`, "u")
  const found = form.exec(path)
  return found === null ? undefined : { ...found.groups }
}

const matched = ({ method, path }: ControlRequest): Matched | undefined => {
  for (const action of controlActions) {
    const parameters = method === action.method ? parametersOf(action.path, path) : undefined
    if (parameters !== undefined) return { action, parameters }
  }
  return undefined
}

const run = async (
  { availability, fake }: Controlled,
  { action, parameters }: Matched,
  request: ControlRequest
): Promise<ControlResponse> => {
  const environment = environmentOf(fake, request.header("authorization"))
  if (action.needsKey && environment === undefined) {
    return refused(401, `${action.path} needs the header Authorization: ApiKey <key of an environment of this fake>`)
  }
  const query = new URLSearchParams(request.query)
  try {
    checkNames(action.path, Object.fromEntries(query), Object.keys(action.query ?? {}))
    const body = parse(request.body)
    const url = `http://${request.header("host")}`
    const context = { fake, url, availability, environment: environment ?? fake, body, query }
    const decoded = Object.entries(parameters).map(([name, value]) => [name, decodeURIComponent(value)])
    const result = await action.run({ ...context, parameters: Object.fromEntries(decoded) })
    return { status: action.creates === true ? 201 : 200, body: result ?? {} }
  } catch (error) {
    return failed(error)
  }
}

/** Where a server listens, and which pages may use it. */
export interface Listening {
  readonly host: string
  readonly allowOrigin: string | undefined
}

export const isLoopback = (host: string): boolean => /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/iu.test(host)

/** Whether a host name is an address, which DNS cannot rebind to another machine. */
const isAddress = (name: string): boolean => /^(?:\d{1,3}(?:\.\d{1,3}){3}|\[[\da-f:.]+\])$/iu.test(name)

/** Whether public DNS cannot give the name to an address: one of this machine, of a Compose service, or of a private zone. */
const isPrivate = (name: string): boolean =>
  isAddress(name) || !name.includes(".") || /\.(?:internal|local|localhost|test)$/iu.test(name)

const hostName = (host: string): string => host.replace(/:\d+$/u, "")

/**
 * Whether a request comes from a foreign web page, which can reach loopback too: it has an `Origin` header that is neither
 * allowed nor of this server or, after DNS rebinding, a foreign host name. In a container, the fake has other names than
 * those of loopback.
 */
export const isFromPage = (header: FakeRequest["header"], { allowOrigin, host: boundTo }: Listening): boolean => {
  const host = header("host") ?? ""
  const name = hostName(host)
  const origin = header("origin")
  if (origin !== undefined && origin === allowOrigin) return false
  if (origin !== undefined && (origin !== `http://${host}` || !(isLoopback(name) || isAddress(name)))) return true
  return isLoopback(boundTo) ? !isLoopback(name) : !isPrivate(name)
}

export const rejectedPage = refused(403, "The control API does not respond to web pages")

/** Responds to a request to the control API of a server that listens on the given host. */
export const control = (
  { availability, fake }: Controlled,
  listening: Listening,
  request: ControlRequest
): ControlResponse | Promise<ControlResponse> => {
  if (isFromPage(request.header, listening)) return rejectedPage
  if (request.path === controlPrefix && request.method === "GET") {
    return { status: 200, body: { actions: described, unmatchedRequests: fake.unmatchedRequests.count() } }
  }
  if (request.path === `${controlPrefix}/openapi.json` && request.method === "GET") {
    return document()
  }
  const found = matched(request)
  return found === undefined
    ? refused(404, unknownAction(`${request.method} ${request.path}`))
    : run({ fake, availability }, found, request)
}
