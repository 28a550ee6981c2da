import { isHttpUrl } from "@signalbox/core/Connection"
import type { EnvironmentOptions } from "../environment/EnvironmentOptions.ts"
import type { ListenOptions } from "../server.ts"
import { readPreset } from "../server/FakeFlags.ts"
import { integer, parseOptions, type Printed, refusing, vendorOf } from "./Arguments.ts"

const options = {
  upstream: { type: "string" },
  out: { type: "string" },
  replay: { type: "string" },
  drift: { type: "string" },
  preset: { type: "string" },
  vendor: { type: "string" },
  port: { type: "string", default: "0" },
  host: { type: "string", default: "127.0.0.1" },
  help: { type: "boolean", short: "h", default: false }
} as const

const help = `signalbox-fake record: records a service, replays a recording, and compares one with a preset

  signalbox-fake record --upstream URL --out FILE   forward requests to a service; write them to the file when stopped,
                                                    and the switches that they show to a preset file next to it
  signalbox-fake record --replay FILE               respond to equal requests in the recorded order; the last
                                                    response is repeated
  signalbox-fake record --drift FILE --preset NAME|FILE
                                                    list the switches whose recorded value differs from the preset,
                                                    and how records differ from the API document

  --port N               port to listen on (default 0, any free port)
  --host HOST            address to listen on (default 127.0.0.1)
  --vendor WORD          vendor in wire identifiers of the recording (default service)
  --help

API keys, device tokens and webhook URLs are in no recording, so a replay responds with "<redacted>" in their place.
Exit code of --drift: 0 no difference, 1 differences, 2 nothing to compare.
`

export type RecordRequest =
  | Printed
  | { readonly _tag: "Record"; readonly upstream: string; readonly out: string; readonly place: ListenOptions }
  | { readonly _tag: "Replay"; readonly file: string; readonly place: ListenOptions }
  | { readonly _tag: "Drift"; readonly file: string; readonly expected: Expected }

type Expected = Pick<EnvironmentOptions, "preset" | "switches" | "vendor">

/** Reads the command line after `record`. */
export const readRecordArguments = refusing((words): RecordRequest => {
  const {
    drift,
    help: wantsHelp,
    host,
    out,
    port,
    preset,
    replay,
    upstream,
    vendor
  } = parseOptions(options, words, {
    command: "record: "
  })
  if (wantsHelp) return { _tag: "Print", text: help }
  const place = { host, port: integer("port", port, 65_535) }
  const given = [upstream, replay, drift].filter((one) => one !== undefined)
  if (given.length !== 1) throw new RangeError("record: expected one of --upstream, --replay, --drift")
  if (replay !== undefined) return { _tag: "Replay", file: replay, place }
  if (drift !== undefined) {
    const expected = {
      ...readPreset(preset ?? "document"),
      ...(vendor === undefined ? {} : { vendor: vendorOf(vendor) })
    }
    return { _tag: "Drift", file: drift, expected }
  }
  if (upstream === undefined || !isHttpUrl(upstream)) {
    throw new RangeError(`--upstream must be an http or https URL, not "${upstream}"`)
  }
  if (out === undefined) throw new RangeError("record: --upstream needs --out FILE")
  return { _tag: "Record", upstream, out, place }
})
