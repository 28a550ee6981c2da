/**
 * The request of an input line: the input of one call.
 */
import {
  type AnyCredentials,
  checkUpsert,
  type CredentialsInput,
  type RequestCheck,
  tokensIn,
  unusualFields,
  usualFields
} from "@signalbox/core/Credentials"
import { checkMarkAs, type MarkAsInput } from "@signalbox/core/Messages"
import type { LineIssue } from "../RunError.ts"
import type { CsvFields } from "./Csv.ts"
import type { InputLine } from "./InputLine.ts"

/** The input of one call. */
export type LineRequest =
  | { readonly kind: "import"; readonly subscriberId: string; readonly input: CredentialsInput }
  | { readonly kind: "mark"; readonly subscriberId: string; readonly input: MarkAsInput }

/** Whether a request appends device tokens, which does harm if done twice. */
export const appendsTokens = (request: LineRequest): boolean =>
  request.kind === "import" && tokensIn(request.input).length > 0

/** A kind of run that reads a file. */
export type LineRunKind = LineRequest["kind"]

interface Kind {
  readonly check: RequestCheck
  readonly fields: CsvFields
  /** Fields that can be given once for all lines; none that holds a secret, because the journal records them. */
  readonly defaults: ReadonlyArray<string>
}

const credential = (name: string) => ["credentials", name]

/** Settings that differ between the kinds of run that read a file. */
export const lineRunKinds: Readonly<Record<LineRunKind, Kind>> = {
  import: {
    check: checkUpsert,
    fields: {
      subscriberId: ["subscriberId"],
      providerId: ["providerId"],
      integrationIdentifier: ["integrationIdentifier"],
      deviceTokens: credential("deviceTokens"),
      webhookUrl: credential("webhookUrl"),
      channel: credential("channel"),
      alertUid: credential("alertUid"),
      title: credential("title"),
      imageUrl: credential("imageUrl"),
      state: credential("state"),
      externalUrl: credential("externalUrl")
    },
    defaults: ["providerId", "integrationIdentifier"]
  },
  mark: {
    check: checkMarkAs,
    fields: { subscriberId: ["subscriberId"], messageId: ["messageId"], markAs: ["markAs"] },
    defaults: ["markAs"]
  }
}

/** The input of a call, or what is wrong with the line. */
export type ReadLine = LineRequest | ReadonlyArray<LineIssue>

/** Whether a line is valid. */
export const isValid = (read: ReadLine): read is LineRequest => "kind" in read

const issueAt = (line: number, path: string, rule: string, column: number | undefined): LineIssue =>
  column === undefined ? { line, path, rule } : { line, column, path, rule }

interface Issue {
  readonly path: string
  readonly rule: string
}

/** Ids that no subscriber has, and credentials that services store although they lead nowhere. */
const uselessIn = (request: LineRequest): ReadonlyArray<Issue> => {
  if (request.subscriberId.trim() !== request.subscriberId) {
    return [{ path: "subscriberId", rule: "Expected no spaces or line breaks around it" }]
  }
  if (request.kind === "mark") return []
  const { input } = request
  const unusual = unusualFields(input)
  if (unusual.length > 0) {
    const rule = `Not a field of ${input.providerId}; its fields are ${usualFields(input.providerId).join(", ")}`
    return unusual.map((field) => ({ path: `credentials.${field}`, rule }))
  }
  const credentials: AnyCredentials = input.credentials ?? {}
  const { deviceTokens = [], webhookUrl } = credentials
  const isEmpty = Object.values(credentials).every((value) => [value].flat().length === 0)
  return [
    ...(isEmpty
      ? [
          {
            path: "credentials",
            rule: "Expected credentials; a service can remove all device tokens where there are none"
          }
        ]
      : []),
    ...([deviceTokens].flat().some((token) => /\s/u.test(token))
      ? [{ path: "credentials.deviceTokens", rule: "Expected tokens without spaces" }]
      : []),
    ...(webhookUrl === undefined || URL.canParse(webhookUrl)
      ? []
      : [{ path: "credentials.webhookUrl", rule: "Expected a URL" }])
  ]
}

/** The mistakes in fields that are given once for all lines. */
export const wrongDefaults = (kind: LineRunKind, defaults: Readonly<Record<string, string>>): ReadonlyArray<string> =>
  lineRunKinds[kind]
    .check("subscriber", defaults)
    .flatMap(({ path, rule }) => (Object.hasOwn(defaults, path) ? [`${path}: ${rule}`] : []))

/** Reads lines of one kind; `defaults` are the fields that a line need not have. */
export const makeReadLine = (kind: LineRunKind, defaults: Readonly<Record<string, string>>) => {
  const { check } = lineRunKinds[kind]
  return ({ content, line }: InputLine): ReadLine => {
    const parsed = content()
    if ("rule" in parsed) return [issueAt(line, "", parsed.rule, parsed.column)]
    const { columnOf, emptyRule, value } = parsed
    if (typeof value !== "object" || value === null || Array.isArray(value)) {
      return [issueAt(line, "", "Expected a JSON object", undefined)]
    }
    const { subscriberId, ...rest }: Record<string, unknown> = { ...defaults, ...value }
    const issues = check(subscriberId, rest)
    // The check asserts these types.
    const request = { kind, subscriberId, input: rest as unknown } as LineRequest
    const found = issues.length > 0 ? issues : uselessIn(request)
    if (found.length === 0) return request
    return found.map(({ path, rule }) => {
      const column = path === "" ? undefined : columnOf(path)
      const empty = column === undefined ? undefined : emptyRule?.(column)
      return empty === undefined ? issueAt(line, path, rule, column) : issueAt(line, "", empty, column)
    })
  }
}
