import { isHttpUrl } from "@signalbox/core/Connection"
import { largestPage } from "@signalbox/core/Operations"
import { Events } from "@signalbox/core/Events"
import { cleanLine } from "@signalbox/operator/outlet/Outlet"
import { configFilePath, parseConfigFile } from "@signalbox/operator/node"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import { asUsage, usage, type UsageError } from "../../failure/CommandError.ts"
import { chooseConnection, readConnections, withDifferences } from "../../connection/Connection.ts"
import { offerVendor } from "../../connection/OfferVendor.ts"
import { findVendor } from "../../connection/VendorSearch.ts"
import { readOwnerFile, writeOwnerFile } from "../../connection/OwnerFile.ts"
import { Process } from "../../process/Process.ts"
import type { AddInput } from "./Connections.ts"

/** A TOML basic string, whose escapes are those of JSON. */
const quoted = (text: string): string => JSON.stringify(text)

const tableOf = ({ apiKeyCommand, apiKeyEnv, baseUrl, name, readOnly, vendor }: AddInput): string => {
  const setting = (key: string, value: Option.Option<string>) =>
    Option.match(value, { onNone: () => [], onSome: (text) => [`${key} = ${quoted(text)}`] })
  return [
    `[connections.${/^[\w-]+$/u.test(name) ? name : quoted(name)}]`,
    `baseUrl = ${quoted(baseUrl)}`,
    ...setting("apiKeyEnv", apiKeyEnv),
    ...setting("apiKeyCommand", apiKeyCommand),
    ...setting("vendor", vendor),
    ...(readOnly ? ["readOnly = true"] : []),
    ""
  ].join("\n")
}

/** Checks the flags, so that an error names them and not the settings of the file. */
const checkFlags = ({ apiKeyCommand, apiKeyEnv, baseUrl }: AddInput): Effect.Effect<void, UsageError> => {
  if (!isHttpUrl(baseUrl)) {
    return usage(`--base-url is "${baseUrl}"; expected an http or https URL, for example https://api.example.com`)
  }
  if (Option.isSome(apiKeyEnv) && Option.isSome(apiKeyCommand)) {
    return usage("--api-key-env and --api-key-command cannot be used together")
  }
  return Option.isNone(apiKeyEnv) && Option.isNone(apiKeyCommand)
    ? usage("connections add needs --api-key-env or --api-key-command")
    : Effect.void
}

const searchTimeoutMs = 15_000

/** Lists events to find the vendor. A service that cannot be reached now is no reason not to add it. */
const lookForVendor = Effect.fnUntraced(function* ({ name, yes }: AddInput) {
  const { report } = yield* Process
  const connection = yield* chooseConnection({ connection: Option.some(name) })
  // Differences are left to the first command that works with the connection, when its vendor is known.
  const page = yield* Events.use((events) => events.list({ limit: largestPage })).pipe(
    withDifferences(connection, new Map()),
    Effect.timeout(searchTimeoutMs),
    Effect.result
  )
  if (Result.isFailure(page)) {
    const reason = cleanLine(page.failure.message.split("\n")[0] ?? "")
    return yield* report(`"${name}" does not work yet (${reason}); signalbox doctor --connection ${name} checks it\n`)
  }
  const found = findVendor(page.success.data)
  if (found !== undefined) yield* offerVendor(connection, found, yes)
})

/** Adds a connection to the configuration file, once the file with it is known to be right. */
export const addConnection = Effect.fnUntraced(function* (input: AddInput) {
  yield* checkFlags(input)
  const { environment, report } = yield* Process
  const path = configFilePath(environment)
  const file = yield* readConnections(environment)
  if (file.connections.some(({ name }) => name === input.name)) {
    return yield* usage(`${path} already has a connection "${input.name}"; edit the file to change it`)
  }
  const before = yield* readOwnerFile(path)
  const text = `${before}${before === "" || before.endsWith("\n\n") ? "" : before.endsWith("\n") ? "\n" : "\n\n"}${tableOf(input)}`
  yield* Effect.fromResult(parseConfigFile(path, text)).pipe(Effect.mapError(asUsage))
  yield* writeOwnerFile(path, text)
  yield* report(`Added "${input.name}" to ${path}; use it with --connection ${input.name}\n`)
  if (Option.isNone(input.vendor)) yield* lookForVendor(input)
})
