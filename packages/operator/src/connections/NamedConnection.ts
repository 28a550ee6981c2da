/**
 * One named connection: the service's URL, where its API key comes from, and whether it is read-only.
 */
import { isHttpUrl } from "@signalbox/core/Connection"
import * as Result from "effect/Result"
import {
  command,
  type ConfigIssue,
  flag,
  invalid,
  type KeySource,
  oneOf,
  readTable,
  sourceOf,
  text,
  variable
} from "./ConfigTable.ts"

export type { KeySource } from "./ConfigTable.ts"

/** The names of the colour themes. */
export const themeNames = ["dark", "light", "contrast", "colour-blind"] as const

/** Name of a colour theme. */
export type ThemeName = (typeof themeNames)[number]

/** A named connection. */
export interface NamedConnection {
  readonly name: string
  readonly baseUrl: string
  readonly key: KeySource
  /** The vendor's name in wire identifiers. */
  readonly vendor?: string
  /** Whether writes are refused. */
  readonly readOnly: boolean
  readonly theme?: ThemeName
  /** The page of an event in the service's dashboard, with `{id}` or `{transactionId}` in it. */
  readonly dashboardUrl?: string
}

/** Names that people use for the key itself. */
const literalKeys: ReadonlySet<string> = new Set([
  "apikey",
  "key",
  "secret",
  "secretkey",
  "token",
  "password",
  "apitoken"
])

const keyAdvice =
  'name an environment variable with apiKeyEnv = "ACME_API_KEY" or a command that prints the key with apiKeyCommand = ["pass", "acme"]'

const settings = {
  baseUrl: text((value) => {
    if (!isHttpUrl(value)) return "must be an http or https URL, for example https://api.example.com"
    const { hash, password, search, username } = new URL(value)
    if (username + password !== "") return `must not contain a user name or password; ${keyAdvice}`
    return search + hash === "" ? undefined : "must end before the query: no ? and no #"
  }),
  apiKeyEnv: variable,
  apiKeyCommand: command,
  vendor: text((value) =>
    /^[a-z][a-z0-9-]*$/u.test(value) ? undefined : "must be one lower-case word: letters, digits and -"
  ),
  readOnly: flag,
  theme: oneOf(themeNames),
  dashboardUrl: text((value) =>
    /\{(?:id|transactionId)\}/u.test(value) && isHttpUrl(value)
      ? undefined
      : "must be an http or https URL with {id} or {transactionId} in it"
  )
}

const unknownKey = (key: string): string | undefined => {
  if (literalKeys.has(key.toLowerCase().replaceAll(/[_-]/gu, ""))) return `do not put a key in this file; ${keyAdvice}`
  // In TOML, a line below a table belongs to it.
  return key === "default" ? "unknown key; default belongs above the first table" : undefined
}

/** Reads the table of one connection. */
export const readNamedConnection = (name: string, value: unknown): Result.Result<NamedConnection, ConfigIssue> =>
  Result.gen(function* () {
    if (name === "demo") return yield* invalid("this name belongs to the embedded demo; choose another")
    const { apiKeyCommand, apiKeyEnv, baseUrl, ...others } = yield* readTable(value, settings, unknownKey)
    if (baseUrl === undefined) return yield* invalid('is missing; write baseUrl = "https://api.example.com"', "baseUrl")
    const key = yield* sourceOf("apiKey", apiKeyEnv, apiKeyCommand)
    if (key === undefined) return yield* invalid(`has no key; ${keyAdvice}`)
    return { name, baseUrl, key, readOnly: false, ...others }
  })
