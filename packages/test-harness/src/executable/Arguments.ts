import { defined } from "@signalbox/core/internal/errors/Defined"
import * as Vendor from "@signalbox/core/Vendor"
import { builtVersion } from "@signalbox/node-build/BuiltVersion"
import { expectedOneOf } from "@signalbox/core/Nearest"
import { isLoopback } from "../control/ControlApi.ts"
import { checkedKey, randomKey } from "../environment/ApiKey.ts"
import type { FakeOptions } from "../environment/Fake.ts"
import { isVendor, vendorRule } from "../environment/EnvironmentOptions.ts"
import { type PlainEnvironmentOptions, readToken } from "../environment/ReproductionToken.ts"
import type { ListenOptions } from "../server.ts"
import { readPreset } from "../server/PresetFile.ts"
import { helpOf, parseOnly, type Values } from "./Options.ts"
import { serveOptions } from "./ServeOptions.ts"

/** The options of the command line. */
export interface Arguments {
  readonly port: number
  readonly host: string
  readonly allowOrigin?: string
  readonly environment: PlainEnvironmentOptions & Pick<FakeOptions, "apiKey">
}

/** Why a server cannot listen, with the option at fault. */
export const listenError = ({ host, port }: ListenOptions, error: unknown): unknown => {
  if (!(error instanceof Error) || !("code" in error)) return error
  switch (error.code) {
    case "EADDRINUSE":
      return new Error(`--port ${port} is in use; choose another port, or 0 for a free one`)
    case "EACCES":
      return new Error(`--port ${port}: permission denied; choose a port from 1024`)
    default:
      return new RangeError(`--host ${host} is not an address of this machine (${error.code})`)
  }
}

/** Something to print before the program exits. */
export interface Printed {
  readonly _tag: "Print"
  readonly text: string
}

/** The action: serve, or print something and exit. */
export type Request = { readonly _tag: "Serve"; readonly arguments: Arguments } | Printed

const help = `signalbox-fake: an in-memory notification service

${helpOf(serveOptions)}  --version

signalbox-fake check [options] -- COMMAND checks a client in any language; see signalbox-fake check --help.
signalbox-fake record --upstream URL --out FILE records a service; see signalbox-fake record --help.

Prints one line of JSON with "url" and "apiKey" when it is ready. Stops on SIGINT and SIGTERM, and when the package
manager that started it ends. Open that URL in a browser to inspect requests, state and faults; /docs opens its switches.
`

export const vendorOf = (value: string | undefined): string | undefined => {
  if (value === undefined || isVendor(value)) return value
  throw new RangeError(`--vendor must be ${vendorRule}, not "${value}"`)
}

const originOf = (value: string): string => {
  if (URL.canParse(value) && new URL(value).origin === value) return value
  throw new RangeError(`--allow-origin must be an origin, such as http://localhost:3000, not "${value}"`)
}

/**
 * The arguments that the values of {@link serveOptions} describe. The options of a reproduction token count where no other
 * value is given.
 */
export const argumentsOf = (values: Values<typeof serveOptions>): Arguments => {
  const { "allow-origin": origin, "api-key": givenKey, demo, empty, host = "127.0.0.1" } = values
  const { port = 0, preset, reproduce, seed, vendor } = values
  if (demo && empty) throw new RangeError("--demo and --empty cannot be used together")
  const chosenKey = givenKey === undefined ? undefined : checkedKey("--api-key", givenKey)
  const apiKey = chosenKey ?? (isLoopback(host) ? undefined : randomKey())
  return {
    port,
    host,
    ...(origin === undefined ? {} : { allowOrigin: originOf(origin) }),
    environment: {
      vendor: Vendor.neutral,
      ...(reproduce === undefined ? {} : readToken(reproduce)),
      ...(preset === undefined ? {} : readPreset(preset)),
      ...defined({ apiKey, seed, vendor: vendorOf(vendor) }),
      ...(demo ? { data: "demo" } : empty ? { data: "empty" } : {})
    }
  }
}

/** Refuses words that start with neither an option nor one of the commands. */
export const checkCommand = ([command = "-"]: ReadonlyArray<string>, commands: ReadonlyArray<string>): void => {
  if (command.startsWith("-") || commands.includes(command)) return
  const expected = expectedOneOf(command, commands, `${commands.join(", ")}, or only options`)
  throw new RangeError(`unknown command "${command}"; ${expected}`)
}

/** Reads a command line without a command. */
export const readArguments = (words: ReadonlyArray<string>): Request => {
  checkCommand(words, ["check", "record"])
  if (words.includes("--version")) return { _tag: "Print", text: `${builtVersion}\n` }
  const values = parseOnly(serveOptions, words)
  return values.help ? { _tag: "Print", text: help } : { _tag: "Serve", arguments: argumentsOf(values) }
}
