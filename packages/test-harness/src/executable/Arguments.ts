import { parseArgs, type ParseArgsConfig } from "node:util"
import * as Vendor from "@signalbox/core/Vendor"
import { expectedOneOf, nearest } from "@signalbox/core/Nearest"
import { isLoopback } from "../control/ControlApi.ts"
import { checkedKey, randomKey } from "../environment/ApiKey.ts"
import type { FakeOptions } from "../environment/Fake.ts"
import { isVendor, vendorRule } from "../environment/EnvironmentOptions.ts"
import type { PlainEnvironmentOptions } from "../environment/ReproductionToken.ts"
import * as Switches from "../switches/Switches.ts"
import { readFakeFlags } from "../server/FakeFlags.ts"

/** The options of the command line. */
export interface Arguments {
  readonly port: number
  readonly host: string
  readonly allowOrigin?: string
  readonly environment: PlainEnvironmentOptions & Pick<FakeOptions, "apiKey">
}

/** Something to print before the program exits. */
export type Printed =
  | { readonly _tag: "Print"; readonly text: string }
  | { readonly _tag: "Refused"; readonly message: string }

/** The action: serve, or print something and exit. */
export type Request = { readonly _tag: "Serve"; readonly arguments: Arguments } | Printed

const options = {
  port: { type: "string", default: "0" },
  host: { type: "string", default: "127.0.0.1" },
  "api-key": { type: "string" },
  seed: { type: "string" },
  preset: { type: "string" },
  vendor: { type: "string" },
  demo: { type: "boolean", default: false },
  empty: { type: "boolean", default: false },
  reproduce: { type: "string" },
  "allow-origin": { type: "string" },
  help: { type: "boolean", short: "h", default: false }
} as const

const help = `signalbox-fake: an in-memory notification service

  --port N               port to listen on (default 0, any free port)
  --host HOST            address to listen on (default 127.0.0.1)
  --api-key KEY          key of the first environment (default fake-key-1-SEED; random if HOST is not loopback)
  --allow-origin ORIGIN  let web pages of this origin use the API and the control API (default: none)
  --preset NAME|FILE     behaviour where the API document leaves it open: ${Switches.presetNames}, or a .json file
  --vendor WORD          vendor in wire identifiers (default service)
  --seed N               the same seed gives the same data (default 1)
  --demo                 start with demo data (default)
  --empty                start without data
  --reproduce TOKEN      start with the options and faults of a reproduction token
  --help

signalbox-fake check [options] -- COMMAND checks a client in any language; see signalbox-fake check --help.
signalbox-fake record --upstream URL --out FILE records a service; see signalbox-fake record --help.

Prints one line of JSON with "url" and "apiKey" when it is ready. Stops on SIGINT and SIGTERM, and when the package
manager that started it ends. Open that URL in a browser to inspect requests, state and faults; /docs opens its switches.
`

/** Advice about an unknown option. */
const meantBy = (words: ReadonlyArray<string>, names: ReadonlyArray<string>): string => {
  const given = words.flatMap((word) => /^--([^=]+)/u.exec(word)?.[1] ?? [])
  const unknown = given.find((name) => !names.includes(name))
  const meant = unknown === undefined ? undefined : nearest(unknown, names)
  return meant === undefined ? "" : ` did you mean --${meant}?`
}

/** Reads the options of a command; the error names the option that was probably meant, and all of them. */
export const parseOptions = <const Options extends NonNullable<ParseArgsConfig["options"]>>(
  options: Options,
  words: ReadonlyArray<string>,
  wording: { readonly command?: string; readonly rest?: string } = {}
) => {
  try {
    return parseArgs({ args: [...words], options, strict: true }).values
  } catch {
    const { command = "", rest = "" } = wording
    const names = Object.keys(options)
    const flags = names.map((name) => `--${name}`).join(", ")
    throw new RangeError(`${command}cannot read "${words.join(" ")}";${meantBy(words, names)} expected ${flags}${rest}`)
  }
}

const parse = (words: ReadonlyArray<string>) => parseOptions(options, words)

/** An integer from 0. */
export const integer = (name: string, text: string, maximum: number): number => {
  if (/^\d{1,15}$/u.test(text) && Number(text) <= maximum) return Number(text)
  throw new RangeError(`--${name} must be an integer from 0 to ${maximum}, not "${text}"`)
}

export const maxSeed = 2 ** 32 - 1

export const vendorOf = (value: string): string => {
  if (isVendor(value)) return value
  throw new RangeError(`--vendor must be ${vendorRule}, not "${value}"`)
}

const originOf = (value: string): string => {
  if (URL.canParse(value) && new URL(value).origin === value) return value
  throw new RangeError(`--allow-origin must be an origin, such as http://localhost:3000, not "${value}"`)
}

const environmentOf = (values: ReturnType<typeof parse>): Arguments["environment"] => {
  const { "api-key": givenKey, demo, empty, host, preset, reproduce, seed, vendor } = values
  if (demo && empty) throw new RangeError("--demo and --empty cannot be used together")
  const chosenKey = givenKey === undefined ? undefined : checkedKey("--api-key", givenKey)
  const apiKey = chosenKey ?? (isLoopback(host) ? undefined : randomKey())
  return {
    ...(apiKey === undefined ? {} : { apiKey }),
    vendor: Vendor.neutral,
    ...readFakeFlags({
      reproduce,
      preset,
      seed: seed === undefined ? undefined : integer("seed", seed, maxSeed),
      vendor: vendor === undefined ? undefined : vendorOf(vendor),
      data: demo ? "demo" : empty ? "empty" : undefined
    })
  }
}

/** Makes a reader of a command line: invalid options become a message. */
export const refusing =
  <Result>(read: (words: ReadonlyArray<string>) => Result) =>
  (words: ReadonlyArray<string>): Result | Extract<Printed, { readonly _tag: "Refused" }> => {
    try {
      return read(words)
    } catch (error) {
      if (!(error instanceof RangeError)) throw error
      return { _tag: "Refused", message: `signalbox-fake: ${error.message}` }
    }
  }

export const readArguments = refusing((words): Request => {
  const [command = "-"] = words
  if (!command.startsWith("-")) {
    const expected = expectedOneOf(command, ["check", "record"], "check, record, or only options")
    throw new RangeError(`unknown command "${command}"; ${expected}`)
  }
  const values = parse(words)
  if (values.help) return { _tag: "Print", text: help }
  const origin = values["allow-origin"]
  return {
    _tag: "Serve",
    arguments: {
      port: integer("port", values.port, 65_535),
      host: values.host,
      ...(origin === undefined ? {} : { allowOrigin: originOf(origin) }),
      environment: environmentOf(values)
    }
  }
})
