/**
 * The connection that environment variables describe or name.
 */
import { check, isHttpUrl } from "@signalbox/core/Connection"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import type { Environment } from "./ConfigPath.ts"

/** The connection of `SIGNALBOX_BASE_URL`, `SIGNALBOX_API_KEY` and `SIGNALBOX_VENDOR`. */
export interface EnvironmentConnection {
  /** The host. */
  readonly name: string
  readonly baseUrl: string
  readonly apiKey: Redacted.Redacted<string>
  readonly vendor?: string
}

/** Reads the connection; `undefined` where neither URL nor key is set. A failure is one line. */
export const environmentConnection = ({
  SIGNALBOX_API_KEY: apiKey = "",
  SIGNALBOX_BASE_URL: baseUrl = "",
  SIGNALBOX_VENDOR: vendor = ""
}: Environment): Result.Result<EnvironmentConnection | undefined, string> => {
  if (apiKey === "" && baseUrl === "") return Result.succeed(undefined)
  const missing = (one: string, other: string) =>
    Result.fail(`${one} is set without ${other}; set both, or use the demo with --connection demo`)
  if (apiKey === "") return missing("SIGNALBOX_BASE_URL", "SIGNALBOX_API_KEY")
  if (baseUrl === "") return missing("SIGNALBOX_API_KEY", "SIGNALBOX_BASE_URL")
  // Not shown: when the two variables are mixed up, this one holds the key.
  if (!isHttpUrl(baseUrl))
    return Result.fail("SIGNALBOX_BASE_URL must be an http or https URL, for example https://api.example.com")
  const checked = check({ apiKey, baseUrl })
  if (Result.isFailure(checked)) return Result.fail(checked.failure.message.replace("apiKey:", "SIGNALBOX_API_KEY"))
  const { host } = new URL(baseUrl)
  return Result.succeed({
    name: host,
    baseUrl,
    apiKey: Redacted.make(apiKey),
    ...(vendor === "" ? {} : { vendor })
  })
}

/** The connection that `SIGNALBOX_CONNECTION` names; `undefined` where it is not set. A failure is one line. */
export const environmentName = ({
  SIGNALBOX_BASE_URL = "",
  SIGNALBOX_CONNECTION = ""
}: Environment): Result.Result<string | undefined, string> =>
  SIGNALBOX_CONNECTION === ""
    ? Result.succeed(undefined)
    : SIGNALBOX_BASE_URL === ""
      ? Result.succeed(SIGNALBOX_CONNECTION)
      : Result.fail("SIGNALBOX_CONNECTION and SIGNALBOX_BASE_URL are both set; unset one, or pass --connection")
